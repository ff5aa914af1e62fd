import { open } from 'node:fs/promises'
import { fromJson, problems } from '@signalbox/codec'
import { anything } from '@signalbox/codec/wire'

/**
 * The maximum size of a file in bytes. It is larger than any real event or source, and small enough to read at
 * once.
 */
export const fileLimit = 16 * 1024 * 1024

/** The maximum number of lists and objects inside of each other. Deeper ones overflow the stack of their readers. */
const nestingLimit = 1000

/** The event in a file, or the reason why the file cannot be read. */
export type EventFile = { readonly event: unknown } | { readonly unreadable: string }

/** Reads a file in UTF-8. Does not throw: a problem with the file is part of the result. */
export async function readText(
  path: string,
): Promise<{ readonly text: string } | { readonly unreadable: string }> {
  const bytes = await readBytes(path)
  if (typeof bytes === 'string') return { unreadable: bytes }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { unreadable: 'it is not text in UTF-8' }
  }
}

/** Reads an event from a JSON file in UTF-8. Does not throw: a problem with the file is part of the result. */
export async function readEvent(path: string): Promise<EventFile> {
  const read = await readText(path)
  if ('unreadable' in read) return read
  const { text } = read
  try {
    const event: unknown = JSON.parse(text)
    return isNestedTooDeeply(text)
      ? { unreadable: `it is nested more than ${nestingLimit} levels deep` }
      : { event }
  } catch {
    return { unreadable: text.trim() === '' ? 'it is empty' : `it is not JSON${whereBroken(text)}` }
  }
}

/** @param json valid JSON */
function isNestedTooDeeply(json: string): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < json.length; at++) {
    const character = json[at]!
    if (isInString && character === '\\') at++
    else if (character === '"') isInString = !isInString
    else if (isInString) continue
    else if (character === '[' || character === '{') depth++
    else if (character === ']' || character === '}') depth--
    if (depth > nestingLimit) return true
  }
  return false
}

/** Returns the position of a syntax error, without the parser's message, which could quote a secret. */
function whereBroken(text: string): string {
  const [position] = /\d+$/.exec(problems(fromJson(anything), text)[0]?.actual ?? '') ?? []
  if (position === undefined) return ''
  const lines = text.slice(0, Number(position)).split('\n')
  return `, it breaks in line ${lines.length} at column ${lines.at(-1)!.length + 1}`
}

async function readBytes(path: string): Promise<Uint8Array | string> {
  try {
    await using file = await open(path)
    const found = await file.stat()
    if (found.isDirectory()) return 'it is a folder'
    if (!found.isFile()) return 'it is not a file'
    if (found.size > fileLimit) return `it has ${found.size} bytes, and at most ${fileLimit} are read`
    return await file.readFile()
  } catch (error) {
    return unreadable(error as NodeJS.ErrnoException)
  }
}

function unreadable({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return 'there is no such file'
  if (code === 'EACCES') return 'reading it is not permitted'
  return message
}
