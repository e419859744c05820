# attn: `make` builds ./attn, `make help` lists everything else.
#
# Each variant has its own folder under build/, so that they never mix:
#   release   what is installed
#   double    real = double, for the gradient checks: the layers that compute, and their tests, no program
#   asan      AddressSanitizer and UndefinedBehaviorSanitizer
#   tsan      ThreadSanitizer
#   fuzz      what asan has, and libFuzzer (clang)
# LOADED libraries are not linked: src/linalg/openblas.c loads one when it multiplies, src/picture/png.c the other
# when it draws.
# MPI=1 makes a program whose training several processes share, MPI=mpich or MPI=ompi-c with that of
# several MPI; each has a folder of its own, such as build/release-mpich, and all objects but those of src/train/mpi/ from the build without.
# CC, CPPFLAGS, CFLAGS, LDFLAGS and LDLIBS are the user's; flags given there come after ours.

VARIANT  ?= release
PREFIX   ?= /usr/local
LIBDIR   ?= $(PREFIX)/lib
PACKAGES  = libcjson icu-uc libpcre2-8 libedit zlib yaml-0.1
LOADED    = openblas pangocairo

# The shell's list of those of the two MPIs that are here, as pkg-config calls them, which a recipe asks for after an
# installation; the one of this program, if any, and the files that use it or do without.
FIND_MPIS    = for name in ompi-c mpich; do ! pkg-config --exists $$name || echo $$name; done
MPIS         = $$($(FIND_MPIS))
FIRST_MPI    = "$$($(FIND_MPIS) | head -n 1)"
MPI_PACKAGE := $(if $(MPI),$(patsubst 1,$(firstword $(shell $(FIND_MPIS)) mpich),$(MPI)))
MPI_SOURCES := $(wildcard src/train/mpi/*.c)

OPTIMISE.release = -O3 -g1
OPTIMISE.double  = -O2 -g1 -DREAL_DOUBLE
OPTIMISE.asan    = -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
OPTIMISE.tsan    = -O1 -g1 -fsanitize=thread
OPTIMISE.fuzz    = $(OPTIMISE.asan) -fsanitize=fuzzer-no-link -Wno-pass-failed

# The program runs on any CPU of its architecture. Only the kernels are compiled for more, each FILE.SET for that
# instruction set: src/linalg/kernels.c has the same list, and chooses among them when the program starts.
MACHINE        := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine 2>/dev/null)))
KERNELS.x86_64  = gemm_float.sse2 gemm_float.avx2 gemm_float.avx512 \
                  gemm_bf16.sse2 gemm_bf16.avx2 gemm_bf16.avx512 gemm_bf16.avx512_bf16 gemm_bf16.amx \
                  gemm_int8.sse2 gemm_int8.avx2 gemm_int8.avx_vnni gemm_int8.avx512_vnni gemm_int8.amx \
                  vector.sse2 vector.avx2 vector.avx512
KERNELS.aarch64 = gemm_float.neon gemm_bf16.neon gemm_bf16.bf16 \
                  gemm_int8.neon gemm_int8.dotprod gemm_int8.i8mm vector.neon
KERNELS.other   = gemm_float.generic gemm_bf16.generic gemm_int8.generic vector.generic
KERNELS.amd64   = $(KERNELS.x86_64)
KERNELS.arm64   = $(KERNELS.aarch64)
# For the tests, the kernels of AMX with functions in place of its instructions (tests/unit/amx_twin.h).
TWINS.x86_64    = gemm_bf16.amx_twin gemm_int8.amx_twin
TWINS.amd64     = $(TWINS.x86_64)
# What OpenBLAS multiplies in float for.
BASELINE.x86_64 = sse2
BASELINE       := $(BASELINE.$(MACHINE))
KERNELS        := $(or $(KERNELS.$(MACHINE)),$(KERNELS.other))
TWINS          := $(TWINS.$(MACHINE))

FOR.avx2        = -mavx2 -mfma
FOR.avx_vnni    = $(FOR.avx2) -mavxvnni
FOR.avx512      = $(FOR.avx2) -mavx512f -mavx512bw -mavx512dq -mavx512vl
FOR.avx512_vnni = $(FOR.avx512) -mavx512vnni
FOR.avx512_bf16 = $(FOR.avx512_vnni) -mavx512bf16
FOR.amx         = $(FOR.avx512_bf16) -mamx-tile -mamx-int8 -mamx-bf16
FOR.amx_twin    = $(FOR.avx512_bf16) -include tests/unit/amx_twin.h
FOR.dotprod     = -march=armv8.2-a+dotprod
FOR.bf16        = $(FOR.dotprod)+bf16
FOR.i8mm        = $(FOR.dotprod)+i8mm

# The vector kernels: what lets compilers make vectors of them and changes no result.
FLAGS.src/linalg/vector = -O3 -fno-math-errno -fno-trapping-math -ffp-contract=off -fopenmp-simd
# The kernels of the matrix products: a product and its sum are one rounding, where the CPU has that instruction.
FLAGS.src/linalg/gemm_float = -ffp-contract=fast
FLAGS.src/linalg/gemm_bf16  = -ffp-contract=fast

WARNINGS   = -Wall -Wextra -Wshadow -Wvla -Wpointer-arith -Wstrict-prototypes -Wmissing-prototypes
SHARABLE   = -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections
POSIX      = -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE
HEADERS    = $(shell pkg-config --cflags $(1) 2>/dev/null)
INCLUDES  := -Isrc $(call HEADERS,$(PACKAGES) $(LOADED)) $(call HEADERS,cmocka)
LIBRARIES := $(shell pkg-config --libs $(PACKAGES) $(MPI_PACKAGE) 2>/dev/null) -lpthread -ldl -lm
SET        = $(patsubst .%,%,$(suffix $(basename $@)))
FOR_SET    = $(if $(SET),$(FOR.$(SET)) -DKERNELS=$(SET))
COMPILE    = $(CC) -std=c17 $(WARNINGS) $(SHARABLE) $(POSIX) $(OPTIMISE.$(VARIANT)) $(INCLUDES) $(FLAGS.$*) \
               $(FOR_SET) $(NAME) $(CPPFLAGS) $(CFLAGS)
LINK       = @echo "  link     $@"; $(COMPILE) $(LDFLAGS) -o $@ $^ $(LIBRARIES) $(LDLIBS)

ifndef OPTIMISE.$(VARIANT)
$(error there is no variant '$(VARIANT)': take release, double, asan, tsan or fuzz)
endif

ifneq ($(MPI),)
ifneq ($(shell pkg-config --exists $(MPI_PACKAGE) 2>/dev/null || echo missing),)
$(error MPI=$(MPI): pkg-config knows no $(MPI_PACKAGE); on Debian and Ubuntu: apt-get install mpi-default-dev)
endif
endif

BUILD   := build/$(VARIANT)$(if $(MPI),-$(MPI_PACKAGE))
object   = $(patsubst %.c,$(BUILD)/%.o,$(1))
# What a variant is made of, and what it tests, where that is not all.
PARTS.double    = base linalg nn model text
TESTED.double   = nn model model/decoder
TESTED          = $(TESTED.$(VARIANT))
PARTS           = $(or $(PARTS.$(VARIANT)),*)
SOURCES := $(filter-out $(MPI_SOURCES) src/lib/%,$(wildcard $(PARTS:%=src/%/*.c) $(PARTS:%=src/%/*/*.c)))
KERNEL_SOURCES := $(sort $(foreach kernel,$(KERNELS),src/linalg/$(basename $(kernel)).c))
OBJECTS := $(call object,$(filter-out $(KERNEL_SOURCES),$(SOURCES))) $(KERNELS:%=$(BUILD)/src/linalg/%.o)
TESTS   := $(sort $(wildcard tests/unit/*.c) $(or $(wildcard $(TESTED:%=tests/unit/%/*.c)),\
                                                  $(shell find tests/unit -name '*.c')))
source   = $(filter %/$(1).c,$(TESTS))
UNITS   := $(addprefix $(BUILD)/tests/,$(filter test_%,$(notdir $(basename $(TESTS)))))
ALONE   := $(filter $(UNITS),$(addprefix $(BUILD)/tests/,test_attn test_faults test_heatmap test_mem test_steps))
FUZZERS := $(patsubst tests/fuzz/%.c,$(BUILD)/tests/%,$(wildcard tests/fuzz/fuzz_*.c))
BENCHES := $(addprefix $(BUILD)/,peak attn-roofline)
SHARED  := $(call object,$(filter-out $(UNITS:$(BUILD)/tests/%=\%/%.c) %/main.c,$(TESTS)))

attn: $(BUILD)/attn                  ## build ./attn (the default)
	@cp -f $< $@

NO_SYNC.asan = $(BUILD)/tests/faults/no_sync.o
$(BUILD)/attn: $(BUILD)/src/main.o $(NO_SYNC.$(VARIANT)) $(BUILD)/objects.a
	$(LINK)

# With MPI: those without it but for one file. Several objects may have the same name, so none is replaced.
ifeq ($(MPI),)
$(BUILD)/objects.a: $(OBJECTS)
	@rm -f $@
	@ar rcs $@ $^
else
WITHOUT_MPI = build/$(VARIANT)/objects.a
$(BUILD)/objects.a: $(call object,$(MPI_SOURCES)) $(WITHOUT_MPI)
	@cp -f $(WITHOUT_MPI) $@
	@ar d $@ processes_one.o
	@ar q $@ $(filter %.o,$^)
	@ranlib $@
$(WITHOUT_MPI): always
	@$(MAKE) --no-print-directory MPI= $@
endif

# The library: src/lib and the layers below it, compiled once more with names of their own, so that a program that has
# a function die() can be linked with libattn.a. src/lib/products.c stands in place of src/linalg/matmul.c.
VERSION   := $(shell sed -n 's/.*ATTN_VERSION "\(.*\)"/\1/p' src/base/version.h)
SONAME     = libattn.so.$(firstword $(subst ., ,$(VERSION)))
LIBS       = $(addprefix $(BUILD)/lib/,libattn.a libattn.so.$(VERSION))
NEEDED    := libcjson icu-uc libpcre2-8 zlib
NM        := $(shell $(CC) -print-prog-name=nm)
LAYERS     = base linalg nn model search text translate
LIBRARY   := $(filter-out src/linalg/matmul.c src/linalg/openblas%.c src/text/corpus/% $(KERNEL_SOURCES), \
               $(wildcard src/lib/*.c $(LAYERS:%=src/%/*.c) $(LAYERS:%=src/%/*/*.c)))
LIBRARY_OBJECTS := $(patsubst %.c,$(BUILD)/library/%.o,$(LIBRARY)) $(KERNELS:%=$(BUILD)/library/src/linalg/%.o)

library: $(LIBS)                     ## build libattn.a and libattn.so; src/lib/attn.h explains them

$(BUILD)/lib/libattn.a: $(LIBRARY_OBJECTS)
	@mkdir -p $(@D)
	@rm -f $@
	@ar qcs $@ $^

# What the functions of attn.h need of libattn.a. Functions that nothing calls are left out, those that use zlib among
# them.
$(BUILD)/lib/libattn.so.$(VERSION): $(BUILD)/library/src/lib/attn.o $(BUILD)/lib/libattn.a src/lib/attn.map
	@echo "  link     $@"; $(COMPILE) -shared $(LDFLAGS) -Wl,-soname,$(SONAME) -Wl,--version-script=src/lib/attn.map \
	    -Wl,--gc-sections -o $@ $(filter-out %.map,$^) $(shell pkg-config --libs $(filter-out zlib,$(NEEDED))) -lpthread -lm
	@ln -sf $(@F) $(@D)/$(SONAME)
	@ln -sf $(SONAME) $(@D)/libattn.so

# The linker's names of all functions and variables that are not static: die is attn_private_die.
$(BUILD)/library/names.h: $(BUILD)/objects.a
	@mkdir -p $(@D)
	@$(NM) -gP $< | awk 'NF > 2 && $$2 != "U" && /^[a-z][A-Za-z0-9_]* / { \
	    print "#pragma redefine_extname", $$1, "attn_private_" $$1 }' | sort > $@.new
	@cmp -s $@.new $@ || cp $@.new $@

$(BUILD)/library/%.o: private NAME = -include $(BUILD)/library/names.h -Wno-pragmas
$(BUILD)/library/%.o: %.c $(BUILD)/library/names.h $(BUILD)/command
	$(compile)

define compile
	@mkdir -p $(@D)
	@echo "  compile  $@"; $(COMPILE) -MMD -MP -c -o $@ $<
endef

$(BUILD)/%.o: %.c $(BUILD)/command
	$(compile)

$(BUILD)/src/train/mpi/%.o $(BUILD)/tests/faults/mpi_%.o: private INCLUDES += $(call HEADERS,$(MPI_PACKAGE))

define kernels_of_set
$(BUILD)/%.$(1).o: %.c $(BUILD)/command
	$$(compile)
$(BUILD)/library/%.$(1).o: %.c $(BUILD)/library/names.h $(BUILD)/command
	$$(compile)
endef
$(foreach set,$(sort $(patsubst .%,%,$(suffix $(KERNELS) $(TWINS)))),$(eval $(call kernels_of_set,$(set))))

# How everything here is compiled and linked: objects are made again when it changes.
$(BUILD)/command: COMMAND = $(COMPILE) $(FLAGS.src/linalg/vector) $(FLAGS.src/linalg/gemm_float) \
                              $(FOR.avx512_bf16) $(NAMED) $(LDFLAGS) $(LIBRARIES) $(LDLIBS)
$(BUILD)/command: always
	@scripts/install-deps --check build
	@mkdir -p $(@D)
	@printf '%s\n' '$(COMMAND)' | cmp -s - $@ || printf '%s\n' '$(COMMAND)' | tee $@

units: $(UNITS) $(if $(TESTED),,$(BUILD)/attn $(FUZZERS) $(BUILD)/tests/attn-faults $(BUILD)/write-docs $(LIBS)) \
           $(if $(filter release,$(VARIANT)),$(BENCHES) $(BUILD)/tests/no_sync.so)

# All unit tests are linked once, for linking each took longer than compiling it: one program with many names, in which
# tests/unit/main.c calls the main of the test whose name it was given. ALONE are those that ask the linker or a
# sanitizer for what the others do without.
TOGETHER         = $(filter-out $(ALONE),$(UNITS))
TOGETHER_OBJECTS = $(foreach unit,$(TOGETHER),$(call object,$(call source,$(notdir $(unit)))))

$(TOGETHER): $(BUILD)/tests/all
	@ln -f $< $@

$(BUILD)/tests/all: $(BUILD)/tests/unit/main.o $(NO_SYNC.$(VARIANT)) $(TOGETHER_OBJECTS) $(BUILD)/tests/shared.a \
                    $(BUILD)/objects.a
	$(LINK) -rdynamic $(shell pkg-config --libs cmocka)

NAMED = -Dmain=$(basename $(@F)) -Wno-missing-prototypes
$(TOGETHER_OBJECTS): private NAME = $(NAMED)

# What reads lines, once more: each branch calls a function of test_steps, which counts them.
STEPS.release = $(patsubst %.c,$(BUILD)/steps/%.o,$(filter src/text/% src/translate/%,$(SOURCES)))
STEPS         = $(STEPS.$(VARIANT))
$(BUILD)/steps/%.o: private SHARABLE = -fsanitize-coverage=trace-pc
$(BUILD)/steps/%.o: %.c $(BUILD)/command
	$(compile)

# The library as its users link it; under a sanitizer its functions and the objects of the program, which spares a second
# compilation.
LIBRARY.release   = $(BUILD)/lib/libattn.a
LINKED.test_attn  = $(or $(LIBRARY.$(VARIANT)),$(call object,$(wildcard src/lib/*.c)))
LINKED.test_steps = $(STEPS)

# Wherever below tests/unit the source of a test program is.
.SECONDEXPANSION:
$(ALONE): $(BUILD)/tests/%: $$(call object,$$(call source,$$*)) $$(LINKED.$$*) \
                            $(BUILD)/tests/shared.a $(BUILD)/objects.a
	$(LINK) $(shell pkg-config --libs cmocka)

$(BUILD)/tests/shared.a: $(SHARED) $(TWINS:%=$(BUILD)/src/linalg/%.o)
	@rm -f $@
	@ar rcs $@ $^

$(BUILD)/tests/unit/%.o: private INCLUDES += -Itests/unit
# cmocka gives each test a state, which most have no use for.
$(BUILD)/tests/unit/%.o: private WARNINGS += -Wno-unused-parameter
# What tests a release is compiled in half the time.
$(BUILD)/tests/unit/%.o: private OPTIMISE.release = -O1 -g1

# The sanitizers look for functions that tests define, such as __asan_default_options.
$(BUILD)/tests/%.o: private SHARABLE =

# What the test of the library makes fail goes through the test.
REFUSED = malloc calloc realloc aligned_alloc pthread_create open close
$(BUILD)/tests/test_attn: private LIBRARIES += $(REFUSED:%=-Wl,--wrap=%)

# Programs whose calls can be made to fail: tests/faults/faults.h.
$(BUILD)/tests/test_faults: $(BUILD)/tests/faults/faults.o
$(BUILD)/tests/attn-faults: $(BUILD)/src/main.o $(BUILD)/tests/faults/faults.o \
                            $(if $(MPI),$(BUILD)/tests/faults/mpi_calls.o) $(BUILD)/objects.a
	$(LINK)

# What tests/run loads before the C library.
$(BUILD)/tests/no_sync.so: tests/faults/no_sync.c $(BUILD)/command
	@mkdir -p $(@D)
	@echo "  link     $@"; $(COMPILE) -shared -o $@ $<

# What feeds a fuzz target: libFuzzer, or replay.c with the seeds.
LIBFUZZER.fuzz = -fsanitize=fuzzer
REPLAY         = $(if $(LIBFUZZER.$(VARIANT)),,$(BUILD)/tests/fuzz/replay.o)

$(FUZZERS): $(BUILD)/tests/%: $(BUILD)/tests/fuzz/%.o $(REPLAY) $(BUILD)/objects.a
	$(LINK) $(LIBFUZZER.$(VARIANT))

fuzzers: $(FUZZERS)

# Targets that begin with an installation start make again, for pkg-config to see what is there now.
AGAIN = @+$(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell getconf _NPROCESSORS_ONLN))

demo:                                ## install what is missing, build, learn, translate: one to three minutes
	@scripts/install-deps build
	$(AGAIN) attn
	@scripts/demo

mpi:                                 ## build with each MPI that is here, beside the program without
	@for name in $(MPIS); do \
	    folder=build/$(VARIANT)-$$name; \
	    $(MAKE) --no-print-directory MPI=$$name $$folder/attn $$folder/tests/attn-faults || exit; \
	done

mpi-check:                           ## two processes under ThreadSanitizer and valgrind, with each MPI that is here
	@scripts/install-deps test
	@for name in $(MPIS); do \
	    for variant in tsan release; do \
	        $(MAKE) --no-print-directory VARIANT=$$variant MPI=$$name build/$$variant-$$name/attn || exit; \
	    done; \
	done
	@tests/mpi-check

# The whole command line once; under the sanitizers what only they can see; the gradients in double; the kernels of every
# CPU of this architecture.
GRADIENTS = $(TESTED.double:%=unit/%:double)

test:                                ## install what is missing, then all tests that every change needs
	@scripts/install-deps test
	$(AGAIN) units-release units-double units-asan
	$(AGAIN) mpi MPIS=$(FIRST_MPI)
	@ATTN_MPIS=$(FIRST_MPI) tests/run \
	    cli:release unit:release cli/sanitizers:asan unit:asan fuzz:asan $(GRADIENTS) $(BASELINE:%=unit/linalg:release@%)

test-all:                            ## every test in every variant, with each MPI
	@scripts/install-deps test
	$(AGAIN) units-release units-double units-asan
	$(AGAIN) mpi
	@tests/run cli:release unit:release cli:asan unit:asan fuzz:asan $(GRADIENTS) $(BASELINE:%=unit:release@%)

check-all:                           ## test-all, and what takes hours: threads, leaks, processes, ARM64, bare Debians, fuzzing, clang
	@scripts/check-all

double:                              ## the gradient checks, where real is double
	@scripts/install-deps test
	$(AGAIN) units-$@
	@tests/run $(GRADIENTS)

asan tsan:                           ## the unit tests in that variant
	@scripts/install-deps test
	$(AGAIN) units-$@
	@$(if $(filter tsan,$@),TIME_FACTOR=5) tests/run unit:$@ fuzz:$@

memcheck:                            ## a thousand loads of the library under valgrind
	@scripts/install-deps leaks
	$(AGAIN) attn library
	@ATTN=$(BUILD)/attn LOADS=1000 bats --filter valgrind tests/cli/library.bats

units-%:
	@$(MAKE) --no-print-directory VARIANT=$* units

fuzz:                                ## random input for FUZZ_SECONDS (60) a target; needs clang
	@scripts/install-deps fuzz
	$(AGAIN) VARIANT=fuzz CC=clang fuzzers
	@tests/fuzz/run

bench: attn $(BENCHES)    ## how fast it is here, beside what the machine could do
	@scripts/bench

$(BUILD)/peak: $(BUILD)/tests/bench/peak.o $(BUILD)/objects.a
	$(LINK)

# attn, whose calls of these functions go through tests/bench/roofline.c.
WRAPPED = matmul gemm_packed network_gradient search_run
$(BUILD)/attn-roofline: $(BUILD)/src/main.o $(BUILD)/tests/bench/roofline.o $(BUILD)/objects.a
	$(LINK) $(WRAPPED:%=-Wl,--wrap=%)

# Where the manual pages and completions go, in the folders that they have below PREFIX/share.
SHARE  = $(BUILD)/share
MANUAL = $(SHARE)/man/man1 $(SHARE)/man/man5 $(SHARE)/man/man7
SHELLS = $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d

docs: $(BUILD)/write-docs            ## manual pages and completions, in build/release/share
	@mkdir -p $(MANUAL) $(SHELLS)
	@$< $(SHARE) $(wildcard src/docs/*.[1-8] src/docs/completion.*sh)

$(BUILD)/write-docs: $(BUILD)/src/docs.o $(BUILD)/objects.a
	$(LINK)

# One word of the shell, whatever stands in it.
quoted = '$(subst ','\'',$(1))'
FILES  = @BUILD=$(BUILD) VERSION=$(VERSION) DESTDIR=$(call quoted,$(DESTDIR)) PREFIX=$(call quoted,$(PREFIX)) \
             LIBDIR=$(call quoted,$(LIBDIR)) scripts/install-files
# The models that come with the program; attn finds them from its own folder (src/cmd/models.h).
MODELS = $(wildcard models/eng-fra.safetensors models/fra-eng.safetensors)

install: $(BUILD)/attn $(LIBS) docs  ## copy all to PREFIX (/usr/local); DESTDIR is put before it
	$(FILES) install $(MODELS)

uninstall:                           ## remove exactly these files from there
	$(FILES) uninstall

# The time of the commit for all files and a compressor that adds none: the same bytes everywhere.
DIST = build/attn-$(VERSION).tar.gz

dist:                                ## the sources of the last commit as build/attn-VERSION.tar.gz
	@mkdir -p build
	git -c tar.umask=0022 archive --format=tar --prefix=attn-$(VERSION)/ HEAD | gzip -9n > $(call quoted,$(DIST))

deb: dist                            ## packages for Debian in build/deb, checked by lintian
	@scripts/install-deps deb
	@scripts/make-deb $(DIST) $(MODELS)

try-deb:                             ## install, use and purge these packages in a bare Debian folder; needs root
	@scripts/try-deb

test-debian:                         ## make demo and make test in a bare folder of RELEASE, or of Debian 12 and 13; needs root
	@scripts/test-debian $(RELEASE)

sizes:                               ## lines and files of each layer of src, beside its budget
	@scripts/sizes

clean:                               ## remove what make built
	rm -rf build attn

help:                                ## this list
	@echo "Usage: make [TARGET] [CC=clang] [CFLAGS=...]"
	@awk -F ':.*## ' '/^[a-z -]+:.*## / { printf "  %-18s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: attn library docs units fuzzers demo mpi mpi-check test test-all check-all double asan tsan memcheck fuzz bench
.PHONY: install uninstall dist deb try-deb test-debian sizes clean help always
-include $(patsubst %.o,%.d,$(OBJECTS) $(TWINS:%=$(BUILD)/src/linalg/%.o) $(STEPS) $(LIBRARY_OBJECTS) $(call object,$(TESTS) $(wildcard src/*.c tests/*/*.c) $(MPI_SOURCES)))
