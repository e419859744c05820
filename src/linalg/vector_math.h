/* vector_math.h - exp, tanh, sigmoid, log and the normal distribution of one number, without branches, for the loops of
 * vector.c.
 */
#ifndef ATTN_LINALG_VECTOR_MATH_H
#define ATTN_LINALG_VECTOR_MATH_H

#include "base/real.h"
#include "linalg/kernels.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The exponent of a real begins at bit EXPONENT_AT and is BIAS too high; HALF_SQRT are the bits of
 * sqrt(1/2). SHIFT + x is x rounded to an integer, which is in its last bits. LN2_HIGH times an
 * exponent is exact. Below LOWEST exp is 0; above it 2^(k + RAISED) is a normal number, where
 * LOWERED = 2^-RAISED. From 2x = SATURATED on tanh x is 1. */
#ifdef REAL_DOUBLE
typedef uint64_t Bits;
typedef int64_t  SignedBits;
enum { EXPONENT_AT = 52, BIAS = 1023, RAISED = 512, EXP_TERMS = 13, LOG_TERMS = 11,
       NORMAL_TERMS = 28 };
#define HALF_SQRT 0x3fe6a09e667f3bcdu
#define SHIFT     0x1.8p52
#define LOG2_E    0x1.71547652b82fep0
#define LN2_HIGH  0x1.62e42feep-1
#define LN2_LOW   0x1.a39ef35793c76p-33
#define LOWEST    (-746.0)
#define LOWERED   0x1p-512
#define SATURATED 40.0
#else
typedef uint32_t Bits;
typedef int32_t  SignedBits;
enum { EXPONENT_AT = 23, BIAS = 127, RAISED = 64, EXP_TERMS = 7, LOG_TERMS = 5,
       NORMAL_TERMS = 12 };
#define HALF_SQRT 0x3f3504f3u
#define SHIFT     0x1.8p23f
#define LOG2_E    0x1.715476p0f
#define LN2_HIGH  0x1.63p-1f
#define LN2_LOW   (-0x1.bd0106p-13f)
#define LOWEST    (-104.0f)
#define LOWERED   0x1p-64f
#define SATURATED 20.0f
#endif

static inline Bits bits_of(real x)
{
    Bits bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline real number_of(Bits bits)
{
    real x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* a b + c, rounded once on CPUs that can. */
static inline real multiply_add(real a, real b, real c)
{
#if defined __FMA__ || defined __ARM_FEATURE_FMA
    return REAL(fma)(a, b, c);
#else
    return a * b + c;
#endif
}

/* exp(x) = 2^k (1 + r series), power = 2^(k + raised) */
typedef struct { real power, r, series; } Exponential;

/* x = k ln 2 + r, |r| <= ln 2 / 2 and a little; exp(r) by Taylor's series: what EXP_TERMS leave off
 * is below 5.3e-9 in float, 4.2e-18 in double. */
static inline Exponential exponential(real x, int raised, int terms)
{
    static const real inverse_factorial[] = {
        1, (real)(1 / 2.), (real)(1 / 6.), (real)(1 / 24.), (real)(1 / 120.), (real)(1 / 720.),
        (real)(1 / 5040.), (real)(1 / 40320.), (real)(1 / 362880.), (real)(1 / 3628800.),
        (real)(1 / 39916800.), (real)(1 / 479001600.), (real)(1 / 6227020800.),
    };
    const real shift = SHIFT + (real)(BIAS + raised);
    const real shifted = multiply_add(x, LOG2_E, shift), k = shifted - shift;
    const real r = multiply_add(k, -LN2_LOW, multiply_add(k, -LN2_HIGH, x));
    real series = inverse_factorial[terms - 1];
    UNROLL for (int i = terms - 2; i >= 0; i--) series = multiply_add(series, r, inverse_factorial[i]);
    return (Exponential){ number_of(bits_of(shifted) << EXPONENT_AT), r, series };
}

/* exp(x), x <= 0. Where the result is no normal number, the last factor rounds it, once. */
static inline real exp_of(real x)
{
    const Exponential e = exponential(x < LOWEST ? LOWEST : x, RAISED, EXP_TERMS);
    return multiply_add(e.r, e.series, 1) * e.power * LOWERED;
}

/* tanh |x| = e / (e + 2), e = exp(2|x|) - 1 */
static inline real tanh_of(real x)
{
    const real twice = 2 * REAL(fabs)(x);
    const Exponential y = exponential(twice > SATURATED ? SATURATED : twice, 0, EXP_TERMS);
    const real e = multiply_add(y.power, y.r * y.series, y.power - 1);
    return REAL(copysign)(e / (e + 2), x);
}

static inline real sigmoid_of(real x)
{
    const real e = exp_of(-REAL(fabs)(x));
    return (x < 0 ? e : 1) / (1 + e);
}

/* The distribution function of the standard normal distribution:
 *
 *   P(x) = erfc(z) / 2 where x < 0, else 1 - erfc(z) / 2,   z = |x| / sqrt(2)
 *   erfc(z) = t exp(series - z²),   t = 2 / (2 + z)
 *
 * The series of Chebyshev polynomials of 2t - 1 is summed by Clenshaw's recurrence; what its
 * NORMAL_TERMS leave off is below 1.2e-8 in float, 2.4e-18 in double. Far below 0 the rounding of z²
 * is as many times the last place. */
static inline real normal_of(real x)
{
    static const real term[] = {
        (real)-0.6513268598908547, (real)0.64196979235649021, (real)0.019476473204185836,
        (real)-0.0095615147868086323, (real)-0.00094659534448203692, (real)0.00036683949785276145,
        (real)4.2523324806907769e-05, (real)-2.0278578112534242e-05,
        (real)-1.6242900046470256e-06, (real)1.3036558355805232e-06, (real)1.5626441722066142e-08,
        (real)-8.5238095914926541e-08, (real)6.5290544390988515e-09, (real)5.0593434955514693e-09,
        (real)-9.9136415649303307e-10, (real)-2.273651222931836e-10, (real)9.646791102015527e-11,
        (real)2.3940380830391146e-12, (real)-6.8860275264975532e-12, (real)8.9448792730907253e-13,
        (real)3.1309213993429581e-13, (real)-1.1270822361367252e-13, (real)3.8109052551892321e-16,
        (real)7.1060976136092371e-15, (real)-1.5230282014571043e-15,
        (real)-9.4574945712912334e-17, (real)1.210237189224279e-16, (real)-2.8166630877471771e-17,
    };
    const real z = REAL(fabs)(x) * (real)0.70710678118654752, t = 2 / (2 + z), twice = 4 * t - 2;
    real b = 0, above = 0;
    UNROLL for (int i = NORMAL_TERMS - 1; i > 0; i--) {
        const real next = multiply_add(twice, b, term[i] - above);
        above = b;
        b = next;
    }
    const real series = multiply_add(twice / 2, b, term[0] - above);
    const real half = t * exp_of(series - z * z) / 2;
    return x < 0 ? half : 1 - half;
}

/* log x, x >= REAL_MIN. x = 2^k m, m from sqrt(1/2) to sqrt(2), and with s = (m - 1) / (m + 1)
 *
 *   log m = 2 (s + s³/3 + s^5/5 + ...)
 *
 * What is left off is below 2.1e-9 log m in float, 6.3e-19 log m in double. */
static inline real log_of(real x)
{
    const Bits one = (Bits)BIAS << EXPONENT_AT;
    const Bits k = ((bits_of(x) + (one - HALF_SQRT)) >> EXPONENT_AT) - BIAS;
    const real m = number_of(bits_of(x) - (k << EXPONENT_AT)), s = (m - 1) / (m + 1);
    real series = (real)(1. / (2 * LOG_TERMS - 1));
    UNROLL for (int i = LOG_TERMS - 2; i >= 0; i--)
        series = multiply_add(series, s * s, (real)(1. / (2 * i + 1)));
    const real exponent = (real)(SignedBits)k;
    const real low = multiply_add(exponent, LN2_LOW, 2 * s * series);
    return x <= REAL_MAX ? multiply_add(exponent, LN2_HIGH, low) : x;
}

#endif
