// The one door to the code that understands io-ts: it analyzes codecs, generates guards, and walks through values. The
// bundler plugin puts `without-io-ts` in its place where no codec needs it.
export { withIoTs as understanding } from './with-io-ts.ts'
