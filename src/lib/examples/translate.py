#!/usr/bin/env python3
"""Translates all lines of standard input, with their word alignment behind a tab, by libattn.

    ./translate.py my.safetensors < article.en

The class needs nothing but ctypes: no compiler, no other package.
"""
import sys
from ctypes import CDLL, POINTER, Structure, byref, c_char, c_char_p, c_double, c_size_t, c_void_p


class Error(Structure):
    _fields_ = [("text", c_char * 1024)]


attn = CDLL("libattn.so.0")
STRINGS = POINTER(c_char_p)
for name, result, *arguments in [
    ("model_load", c_void_p, c_char_p, POINTER(Error)),
    ("model_free", None, c_void_p),
    ("translator_new", c_void_p, c_void_p, STRINGS, POINTER(Error)),
    ("translator_free", None, c_void_p),
    ("translate", c_void_p, c_void_p, STRINGS, c_size_t, POINTER(Error)),
    ("result_free", None, c_void_p),
    ("result_count", c_size_t, c_void_p, c_size_t),
    ("result_text", c_char_p, c_void_p, c_size_t, c_size_t),
    ("result_score", c_double, c_void_p, c_size_t, c_size_t),
    ("result_alignment", c_char_p, c_void_p, c_size_t, c_size_t),
]:
    function = getattr(attn, "attn_" + name)
    function.restype, function.argtypes = result, arguments


def strings(texts):
    """A char *[] of these texts, ended by NULL."""
    return (c_char_p * (len(texts) + 1))(*[text.encode() for text in texts], None)


def checked(function, *arguments):
    error = Error()
    made = function(*arguments, byref(error))
    if not made:
        raise RuntimeError(error.text.decode())
    return made


class Translator:
    """with Translator("my.safetensors", beam=8, nbest=3) as t: print(t(["I am calm."]))"""

    def __init__(self, path, **options):
        self.model = self.translator = None
        words = [str(word) for pair in options.items() for word in pair]
        self.model = checked(attn.attn_model_load, path.encode())
        self.translator = checked(attn.attn_translator_new, self.model, strings(words))

    def __call__(self, lines):
        """For each line a list of (text, score, alignment or None), best first."""
        result = checked(attn.attn_translate, self.translator, strings(lines), len(lines))
        found = [[self._read(result, line, k) for k in range(attn.attn_result_count(result, line))]
                 for line in range(len(lines))]
        attn.attn_result_free(result)
        return found

    @staticmethod
    def _read(*place):
        alignment = attn.attn_result_alignment(*place)
        return (attn.attn_result_text(*place).decode(), attn.attn_result_score(*place),
                alignment.decode() if alignment is not None else None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        attn.attn_translator_free(self.translator)
        attn.attn_model_free(self.model)


if __name__ == "__main__":
    with Translator(sys.argv[1], beam=5, alignment="on") as translator:
        for (text, _, links), *_ in translator(sys.stdin.read().splitlines()):
            print(text, links, sep="\t")
