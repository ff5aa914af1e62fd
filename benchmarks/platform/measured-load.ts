import { get } from 'node:http'
import { load } from './load.ts'
import type { Server } from './server.ts'

const rounds = 5

/** The number of seconds for which each server is under load in a round. */
const duration = 4

/** The figures of a server, by round. */
export interface Figures {
  readonly perSecond: number[]
  /** The processor time of the server's own process for one request, in nanoseconds. */
  readonly processor: number[]
}

/** Sends requests for a path to the servers in turn, in several rounds, after one for warming up. */
export async function measuredLoad(servers: readonly Server[], path: string): Promise<readonly Figures[]> {
  const figures = servers.map((): Figures => ({ perSecond: [], processor: [] }))
  for (let round = 0; round <= rounds; round++) {
    for (const [position, server] of servers.entries()) {
      const before = await server.usage('processor')
      const { requests, perSecond } = await load(`${server.url}${path}`, { duration })
      const after = await server.usage('processor')
      if (round === 0) continue
      figures[position]!.perSecond.push(perSecond)
      figures[position]!.processor.push(((after.processor - before.processor) * 1000) / requests)
    }
  }
  return figures
}

/** Checks that all servers give the same answer. Throws if the answer of one differs from that of the first. */
export async function sameAnswers(
  names: readonly string[],
  servers: readonly Server[],
  path: string,
): Promise<void> {
  const answers = await Promise.all(servers.map(server => answerOf(`${server.url}${path}`)))
  const different = answers.findIndex(answer => answer !== answers[0])
  if (different >= 0) throw new Error(`${names[different]}: ${answers[different]}, not ${answers[0]}`)
}

function answerOf(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, response => {
      const lines = response.rawHeaders.flatMap((name, i, all) =>
        i % 2 === 0 && name !== 'Date' ? [`${name}: ${all[i + 1]}`] : [],
      )
      let body = ''
      response.setEncoding('utf8').on('data', text => {
        body += text
      })
      response.on('end', () =>
        resolve([response.statusCode, response.statusMessage, ...lines, body].join('\n')),
      )
    }).on('error', reject)
  })
}
