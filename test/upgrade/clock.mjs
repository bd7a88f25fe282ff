// Loaded before a process under test (node --import): its clock begins at AFTERWORD_TEST_TIME and
// goes on from there.
const began = Number(process.env["AFTERWORD_TEST_TIME"]);
if (began > 0) {
  const { now } = Date;
  const shift = began - now();
  Date.now = () => now() + shift;
}
