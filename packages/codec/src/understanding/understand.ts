// Only this module imports the code that understands io-ts, which analyzes codecs, generates guards and walks through
// values. The bundler plugin makes it export `without-io-ts` instead when no codec needs that code.
export { withIoTs as understanding } from './with-io-ts.ts'
