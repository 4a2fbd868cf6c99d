// test: verify
// What a terminal would act on is escaped in messages.
func.func @main() {
    x
}
// error: syntax @4: expected an operation, found `\u{1}`
