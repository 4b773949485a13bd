//! The stored form of a vector: one byte a dimension and one factor, `value ≈ scale × byte`.
//!
//! A quarter of the space of `f32`, and the dot product of two stored vectors is exact integer arithmetic: the
//! same on every machine, in any order, so ranking never depends on how the loop was compiled.

/// Values that one dot product may multiply without any chance of overflow: 128 × 128 × 2^16 < 2^31.
const MAX_DIMS: usize = 1 << 16;

const LANES: usize = 16;

/// The scale and the bytes of `vector`. Bytes stay in -127..=127, the largest magnitude maps to 127, and no value
/// is off by more than half a scale. A vector without finite non-zero values has scale 0 and zero bytes; single
/// values that are not finite count as 0 and do not spoil the others.
pub fn quantize(vector: &[f32]) -> (f32, Vec<i8>) {
    let largest =
        vector.iter().filter(|value| value.is_finite()).fold(0.0_f32, |most, value| most.max(value.abs()));
    let scale = largest / 127.0;
    if !scale.is_normal() {
        return (0.0, vec![0; vector.len()]);
    }
    let bytes = vector.iter().map(|&value| quantize_one(value, scale)).collect();
    (scale, bytes)
}

#[inline]
fn quantize_one(value: f32, scale: f32) -> i8 {
    if !value.is_finite() {
        return 0;
    }
    // Division may round to just past 127.
    (value / scale).round_ties_even().clamp(-127.0, 127.0) as i8
}

/// The vector that `scale` and `bytes` stand for.
pub fn dequantize(scale: f32, bytes: &[i8]) -> Vec<f32> {
    bytes.iter().map(|&byte| scale * f32::from(byte)).collect()
}

/// The integer dot product over the common length of `a` and `b` (at most 65,536 values); times both scales it is
/// the dot product of the vectors. `stored` is as the map has it: each byte is a signed value.
#[inline]
pub fn dot_stored(a: &[i8], stored: &[u8]) -> i32 {
    let length = a.len().min(stored.len()).min(MAX_DIMS);
    let (a, a_rest) = a[..length].as_chunks::<LANES>();
    let (b, b_rest) = stored[..length].as_chunks::<LANES>();
    let product = |x: &i8, y: &u8| i32::from(i16::from(*x)) * i32::from(i16::from(y.cast_signed()));
    let mut sum = 0_i32;
    for (x, y) in a.iter().zip(b) {
        // 16-bit factors and 32-bit products in this shape compile to multiply-add instructions.
        sum += x.iter().zip(y).map(|(x, y)| product(x, y)).sum::<i32>();
    }
    sum + a_rest.iter().zip(b_rest).map(|(x, y)| product(x, y)).sum::<i32>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bytes(values: &[i8]) -> Vec<u8> {
        values.iter().map(|v| v.cast_unsigned()).collect()
    }

    #[test]
    fn a_zero_vector_stays_zero() {
        assert_eq!(quantize(&[0.0; 5]), (0.0, vec![0; 5]));
        assert_eq!(quantize(&[]), (0.0, vec![]));
    }

    #[test]
    fn values_that_are_not_finite_count_as_zero() {
        let (scale, bytes) = quantize(&[f32::NAN, 1.0, f32::INFINITY, -0.5, f32::NEG_INFINITY]);
        assert_eq!(bytes, [0, 127, 0, -64, 0]);
        assert_eq!(scale, 1.0 / 127.0);
        assert_eq!(quantize(&[f32::NAN, f32::INFINITY]), (0.0, vec![0; 2]));
    }

    #[test]
    fn values_at_the_edge_of_the_type_do_not_break_the_scale() {
        assert_eq!(quantize(&[f32::MAX, f32::MIN]).1, [127, -127]);
        assert_eq!(quantize(&[f32::MIN_POSITIVE / 2.0, 0.0]), (0.0, vec![0; 2]));
    }

    #[test]
    fn dot_is_exact_at_the_largest_length() {
        let most = vec![i8::MIN; MAX_DIMS + 1];
        assert_eq!(dot_stored(&most, &bytes(&most)), 128 * 128 * MAX_DIMS as i32);
        assert_eq!(dot_stored(&[1, 2, 3], &[4, 5]), 14);
        assert_eq!(dot_stored(&[], &[]), 0);
    }

    proptest! {
        #[test]
        fn no_value_is_off_by_more_than_half_a_scale(vector in prop::collection::vec(-1e6_f32..1e6, 1..300)) {
            let (scale, bytes) = quantize(&vector);
            for (value, read) in vector.iter().zip(dequantize(scale, &bytes)) {
                prop_assert!((value - read).abs() <= scale * 0.5001);
            }
            prop_assert_eq!(quantize(&vector), (scale, bytes));
        }

        #[test]
        fn any_bits_are_accepted(bits in prop::collection::vec(any::<u32>(), 0..64)) {
            let vector: Vec<f32> = bits.into_iter().map(f32::from_bits).collect();
            let (scale, bytes) = quantize(&vector);
            prop_assert!(scale.is_finite() && scale >= 0.0);
            prop_assert_eq!(bytes.len(), vector.len());
            prop_assert!(bytes.iter().all(|&byte| byte != i8::MIN));
        }

        #[test]
        fn dot_agrees_with_the_plain_sum(pairs in prop::collection::vec(any::<(i8, i8)>(), 0..300)) {
            let (a, b): (Vec<i8>, Vec<i8>) = pairs.into_iter().unzip();
            let plain: i64 = a.iter().zip(&b).map(|(&x, &y)| i64::from(x) * i64::from(y)).sum();
            prop_assert_eq!(i64::from(dot_stored(&a, &bytes(&b))), plain);
        }
    }
}
