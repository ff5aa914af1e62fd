import { request } from 'node:http'
import { listeningQueues } from './queue-engines.ts'

export type Parameters = { readonly [name: string]: string }

const form = (parameters: Parameters) => String(new URLSearchParams(parameters))

async function read(response: Response) {
  const { status, headers } = response
  return { status, type: headers.get('content-type'), text: await response.text() }
}

/** Returns the contents of all elements with this name. */
export const contents = (text: string, tag: string) =>
  [...text.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(([, inner]) => inner)

/** Returns a listener for the tests of a file, with a queue for each of them, and what sends requests to it. */
export function queryRequests() {
  let setup: Awaited<ReturnType<typeof listeningQueues>>
  let number = 0

  /** Sends a form in the same way as old clients. */
  const post = async (where: string, parameters: Parameters, headers: Record<string, string> = {}) =>
    read(
      await fetch(setup.url + where, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', ...headers },
        body: form({ Version: '2012-11-05', ...parameters }),
      }),
    )

  /** Sends a GET with only these headers. `fetch` would add other headers. */
  const get = (where: string, parameters: Parameters, headers: Record<string, string> = {}) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      request(`${setup.url}${where}?${form(parameters)}`, { headers }, async response => {
        const pieces = await response.setEncoding('utf8').toArray()
        resolve({ status: response.statusCode!, text: pieces.join('') })
      })
        .on('error', reject)
        .end()
    })

  return {
    post,
    get,
    async start() {
      setup = await listeningQueues()
    },
    end: () => setup.end(),
    /** Creates the queue of the next test, with a new name. */
    async next() {
      const queue = `q${++number}`
      await setup.store.createQueue(queue)
      return { setup, queue, path: `/000000000000/${queue}` }
    },
  }
}
