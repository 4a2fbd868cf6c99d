// test: verify
// The string that names a module does not end.
module @"abc
func.func @main()
// error: syntax @3: expected `{`, found a string without an end
