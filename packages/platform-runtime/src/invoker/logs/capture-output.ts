import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import type { LogLine } from '../invoker.ts'

/** Receives each string that is written to stdout or stderr. */
type Written = (stream: LogLine['stream'], text: string) => void

/**
 * Captures what this thread writes to stdout and stderr, through the streams or directly through the file descriptors,
 * as some loggers do. The output is not printed.
 */
export function captureOutput(written: Written): void {
  captureStream(process.stdout, text => written('out', text))
  captureStream(process.stderr, text => written('err', text))
  captureDescriptors(written)
}

function captureStream(output: NodeJS.WriteStream, written: (text: string) => void): void {
  output.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    written(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())
    const done = rest.find(argument => typeof argument === 'function')
    if (done !== undefined) process.nextTick(done as () => void)
    return true
  }
}

type Write = (descriptor: unknown, data: unknown, ...rest: unknown[]) => unknown

function captureDescriptors(written: Written): void {
  const take = (descriptor: unknown, data: unknown, rest: readonly unknown[]): number | undefined => {
    const bytes = descriptor === 1 || descriptor === 2 ? bytesOf(data, rest) : undefined
    if (bytes !== undefined) written(descriptor === 1 ? 'out' : 'err', bytes.toString())
    return bytes?.length
  }
  const { write, writeSync } = fs as unknown as { readonly write: Write; readonly writeSync: Write }
  replace('writeSync', writeSync, (descriptor, data, ...rest) => {
    return take(descriptor, data, rest) ?? writeSync(descriptor, data, ...rest)
  })
  replace('write', write, (descriptor, data, ...rest) => {
    const done = rest.at(-1)
    const length = typeof done === 'function' ? take(descriptor, data, rest) : undefined
    if (length === undefined) return write(descriptor, data, ...rest)
    process.nextTick(done as () => void, null, length, data)
    return undefined
  })
  syncBuiltinESMExports()
}

/** Replaces a function of `fs`, and keeps its properties, because `util.promisify` uses them. */
function replace(name: 'write' | 'writeSync', original: Write, replacement: Write): void {
  Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(original))
  Object.assign(fs, { [name]: replacement })
}

/** Returns the bytes that a call of `fs.write` writes. Returns undefined for an invalid call, which Node reports. */
function bytesOf(data: unknown, rest: readonly unknown[]): Buffer | undefined {
  if (typeof data === 'string') {
    const encoding = rest.find(argument => typeof argument === 'string') ?? 'utf8'
    return Buffer.isEncoding(encoding as string) ? Buffer.from(data, encoding as BufferEncoding) : undefined
  }
  if (!ArrayBuffer.isView(data)) return undefined
  const [first, second] = rest
  const range = typeof first === 'object' && first !== null ? first : { offset: first, length: second }
  const { offset, length } = range as { readonly offset?: unknown; readonly length?: unknown }
  const start = typeof offset === 'number' ? offset : 0
  const size = typeof length === 'number' ? length : data.byteLength - start
  if (start < 0 || size < 0 || start + size > data.byteLength) return undefined
  return Buffer.from(data.buffer, data.byteOffset + start, size)
}
