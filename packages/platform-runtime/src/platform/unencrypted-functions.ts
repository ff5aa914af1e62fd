import { isLoopback } from '../fields/is-loopback.ts'
import type { FunctionSettings } from '../invoker/function-settings.ts'

/** Returns a notice for each function on another host whose events are sent without encryption. */
export function unencryptedNotices(functions: readonly FunctionSettings[]): readonly string[] {
  return functions.flatMap(({ name, code }) => {
    const url = 'url' in code ? code.url : 'lambda' in code ? code.lambda.endpoint : undefined
    if (url === undefined || !url.startsWith('http:') || isLoopback(url)) return []
    return `The function ${name} gets its events from this platform without encryption, over http to ${new URL(url).host}. Events hold passwords and private messages: use https.`
  })
}
