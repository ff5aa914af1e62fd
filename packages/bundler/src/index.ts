export { type CodecsOptions, codecs } from './codecs.ts'
