//! Numbers that reductions begin with, loops that do not turn, and exponentials that overflow.

use super::{Case, case};

pub(crate) const EDGES: &[Case] = &[
    case(
        "a maximum that begins with a number",
        &["3x4xf64", "f64"],
        "%0 = stablehlo.reduce(%a init: %b) applies stablehlo.maximum across dimensions = [1] :
           (tensor<3x4xf64>, tensor<f64>) -> tensor<3xf64>
         %half = stablehlo.constant dense<0.6> : tensor<f64>
         %1 = stablehlo.reduce(%a init: %half) applies stablehlo.maximum across dimensions = [1] :
           (tensor<3x4xf64>, tensor<f64>) -> tensor<3xf64>
         %low = stablehlo.constant dense<-5.0> : tensor<f64>
         %2 = stablehlo.reduce(%a init: %low) applies stablehlo.minimum across dimensions = [1] :
           (tensor<3x4xf64>, tensor<f64>) -> tensor<3xf64>
         %3 = stablehlo.add %0, %1 : tensor<3xf64>
         %y = stablehlo.add %3, %2 : tensor<3xf64>",
        "3xf64",
    ),
    case(
        "a product that begins with a number",
        &["3x4xf64", "f64"],
        "%0 = stablehlo.reduce(%a init: %b) applies stablehlo.multiply across dimensions = [0] :
           (tensor<3x4xf64>, tensor<f64>) -> tensor<4xf64>
         %two = stablehlo.constant dense<2.0> : tensor<f64>
         %1 = stablehlo.reduce(%a init: %two) applies stablehlo.multiply across dimensions = [0] :
           (tensor<3x4xf64>, tensor<f64>) -> tensor<4xf64>
         %y = stablehlo.add %0, %1 : tensor<4xf64>",
        "4xf64",
    ),
    case(
        "windows that begin with a number",
        &["6xf64", "f64"],
        r#"%0 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 3>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %s = stablehlo.add %l, %r : tensor<f64>
           stablehlo.return %s : tensor<f64>
         }) : (tensor<6xf64>, tensor<f64>) -> tensor<4xf64>
         %1 = "stablehlo.reduce_window"(%a, %b) <{window_dimensions = array<i64: 3>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %s = stablehlo.maximum %l, %r : tensor<f64>
           stablehlo.return %s : tensor<f64>
         }) : (tensor<6xf64>, tensor<f64>) -> tensor<4xf64>
         %low = stablehlo.constant dense<-0.1> : tensor<f64>
         %2 = "stablehlo.reduce_window"(%a, %low) <{window_dimensions = array<i64: 3>}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %s = stablehlo.minimum %l, %r : tensor<f64>
           stablehlo.return %s : tensor<f64>
         }) : (tensor<6xf64>, tensor<f64>) -> tensor<4xf64>
         %3 = stablehlo.add %0, %1 : tensor<4xf64>
         %y = stablehlo.add %3, %2 : tensor<4xf64>"#,
        "4xf64",
    ),
    case(
        "a sort whose comparator branches",
        &["5xf64"],
        r#"%y = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
         ^bb0(%l: tensor<f64>, %r: tensor<f64>):
           %zero = stablehlo.constant dense<0.0> : tensor<f64>
           %p = stablehlo.compare LT, %l, %zero, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
           %c = "stablehlo.if"(%p) ({
             %d = stablehlo.compare LT, %l, %r, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
             stablehlo.return %d : tensor<i1>
           }, {
             %e = stablehlo.compare LT, %l, %r, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
             stablehlo.return %e : tensor<i1>
           }) : (tensor<i1>) -> tensor<i1>
           stablehlo.return %c : tensor<i1>
         }) : (tensor<5xf64>) -> tensor<5xf64>"#,
        "5xf64",
    ),
    case(
        "a loop that does not turn",
        &["2xf64"],
        "%first = stablehlo.constant dense<3> : tensor<i32>
         %0:2 = stablehlo.while(%i = %first, %x = %a) : tensor<i32>, tensor<2xf64>
         cond {
           %three = stablehlo.constant dense<3> : tensor<i32>
           %c = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
           stablehlo.return %c : tensor<i1>
         } do {
           %one = stablehlo.constant dense<1> : tensor<i32>
           %j = stablehlo.add %i, %one : tensor<i32>
           %s = stablehlo.sine %x : tensor<2xf64>
           stablehlo.return %j, %s : tensor<i32>, tensor<2xf64>
         }
         %y = stablehlo.multiply %0#1, %a : tensor<2xf64>",
        "2xf64",
    ),
    case(
        "sigmoids that are written out, also where the exponential overflows",
        &["6xf64"],
        "%far = stablehlo.constant dense<[0.0, 800.0, -800.0, 3.0, -3.0, 0.5]> : tensor<6xf64>
         %0 = stablehlo.add %a, %far : tensor<6xf64>
         %1 = stablehlo.negate %0 : tensor<6xf64>
         %2 = stablehlo.exponential %1 : tensor<6xf64>
         %one = stablehlo.constant dense<1.0> : tensor<f64>
         %3 = stablehlo.broadcast_in_dim %one, dims = [] : (tensor<f64>) -> tensor<6xf64>
         %4 = stablehlo.add %3, %2 : tensor<6xf64>
         %5 = stablehlo.divide %3, %4 : tensor<6xf64>
         %y = stablehlo.multiply %5, %0 : tensor<6xf64>",
        "6xf64",
    ),
];
