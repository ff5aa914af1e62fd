import { signalbox } from '@signalbox/core'
import { get, json, loadBalancer } from '@signalbox/load-balancer'
import { mailFlow } from '@signalbox/mail-flow'
import { httpEvent, type Mode, paths, type Request } from '../data/http.ts'
import { outboundMail } from '../data/mail.ts'
import type { ExtraGoal, GrowthGoal, Setup, Work } from '../harness/work.ts'

const api = signalbox(
  loadBalancer([
    ...paths(60)
      .filter(({ method }) => method === 'GET')
      .map(({ resource, rest }) => get(`${resource}${rest}`, () => json({ known: true }))),
    // The handler reads all parsed values, so that all parsing is measured.
    get('/read/{rest+}', ({ query, headers, cookies, clientAddress, params }) =>
      json({
        query: query.names().length,
        headers: headers.names().length,
        cookies: Object.keys(cookies).length,
        address: clientAddress?.length ?? 0,
        rest: params.rest.length,
      }),
    ),
  ]),
)
const mail = signalbox(
  mailFlow((_, actions, { signal }) => {
    try {
      return actions.bounce('No', [hostileAddress])
    } catch {
      return signal.aborted ? undefined : actions.drop()
    }
  }),
)
let hostileAddress = ''

const context = {}
const fill = (piece: string, size: number) => piece.repeat(Math.ceil(size / piece.length)).slice(0, size)

function request(name: string, of: (size: number) => Partial<Request>, mode: Mode = 'single'): Sizes {
  return series(name, size => {
    const event = httpEvent(mode, { method: 'GET', path: '/read/7', ...of(size) })
    return () => api(event, context)
  })
}

type Sizes = readonly [short: Setup, long: Setup, longest: Setup]

function series(name: string, of: (size: number) => () => unknown): Sizes {
  const setup = (size: number): Setup => ({
    name: `${name}, ${size < 1024 ? `${size} B` : `${size / 1024} KB`}`,
    units: size,
    contenders: [{ name: 'Signalbox', role: 'ours', run: of(size) }],
  })
  return [setup(64), setup(16 * 1024), setup(64 * 1024)]
}

const all = [
  request('a path of slashes', size => ({ path: `/read/${fill('/', size)}` })),
  request('a path of short segments', size => ({ path: `/${fill('a/', size)}` })),
  request('a path of percent escapes', size => ({ path: `/read/${fill('%C3%A9', size - (size % 6))}` })),
  request('a path of broken escapes', size => ({ path: `/read/${fill('%', size)}` })),
  request('a header of blanks', size => ({ headers: { 'content-type': `a${fill(' ', size)}b` } })),
  request('cookies of separators', size => ({ headers: { cookie: fill(';= "', size) } })),
  request('many cookies', size => ({ headers: { cookie: fill('a=b; ', size) } })),
  request('a header of commas', size => ({ headers: { 'x-forwarded-for': fill(', ', size) } })),
  request('a parameter of plus signs', size => ({ query: { q: fill('+%', size) } })),
  series('a mail address of quotes and backslashes', size => {
    const event = outboundMail(1)
    const address = `"${fill('\\"', size)}@example.com`
    return () => {
      hostileAddress = address
      return mail(event, context)
    }
  }),
]

const setups = all.flat()
const growth = all.map(
  ([, from, to]): GrowthGoal => ({
    together: 'Signalbox, the worst of all: a byte of 64 KB costs at most 1.2 × one of 16 KB',
    of: 'Signalbox',
    from: from.name,
    to: to.name,
    atMost: 1.2,
  }),
)
const extra = all
  .filter(
    ([{ name }]) => name.startsWith('a path') || name.startsWith('a header') || name.includes('cookies'),
  )
  .map(
    ([from, , to]): ExtraGoal => ({
      together:
        'Signalbox, the worst of all: a path or header of 64 KB takes at most 1 ms more than one of 64 B',
      of: 'Signalbox',
      from: from.name,
      to: to.name,
      atMost: 1e6,
    }),
  )

export const work: Work = {
  name: 'hostile',
  title: 'Hostile inputs: the time grows with the length and no faster',
  unit: 'byte',
  setups,
  growth,
  extra,
}
