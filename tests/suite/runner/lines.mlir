// test: split
// A stage gets the file as it stands, so that a line in a diagnostic is a line of the file.
func.func @main() {
  return
}
// expect:
// 3: func.func @main() {
// 4:   return
// 5: }
