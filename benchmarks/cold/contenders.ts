import type { Role } from '../harness/work.ts'
import type { families } from './families.ts'

/** A handler that is bundled, started in a fresh process and called once. */
export interface ColdContender {
  readonly name: string
  readonly role: Role
  /** The file in this folder, without its extension. Files in the folder of one family are compared with each other. */
  readonly file: string
  /** Whether the bundler plugin compiles the codecs of the handler. */
  readonly compiled?: true
}

/** Returns the event family that a contender handles, or undefined if it handles none. */
export function familyOf({ file }: ColdContender): keyof typeof families | undefined {
  const [folder, name] = file.split('/')
  return name === undefined ? undefined : (folder as keyof typeof families)
}

/** The size limits for the bundle of one handler in this folder. */
export interface Budget {
  /** The goal for the minified bundle, in bytes. */
  readonly goal: number
  /**
   * The maximum size in the test, in bytes. It is the goal if the bundle reaches it. Otherwise it is the last size, so
   * that the bundle cannot grow unnoticed.
   */
  readonly held: number
  /**
   * The maximum size of the production bundle in the test, in bytes. The bundler plugin compiles its codecs.
   */
  readonly heldCompiled: number
  /** Whether the handler has an io-ts codec. */
  readonly ioTs: boolean
  /** The reason why the bundle is larger than its goal, if it is. */
  readonly otherwise: string
  /** The goal for the time of the import, as a multiple of the time of bare middy. */
  readonly importing?: number
  /**
   * The goal for the time of the import and the first call without the time of an empty file, as a multiple of the time
   * of bare middy.
   */
  readonly own?: number
}

const family =
  'Of it, core takes 8 kB, middy 3 kB, and finding problems, with words for them, 6 kB. The rest is what the family does.'

const ioTs =
  'The handler brings a codec of io-ts, whose classes stay in a bundle whatever is used of them (10 kB with fp-ts).'

export const budgets: Readonly<Record<string, Budget>> = {
  'signalbox-codec': {
    goal: 14_000,
    held: 33_900,
    heldCompiled: 14_300,
    ioTs: true,
    otherwise: `${ioTs} Of the rest, a fifth generates guards, a quarter knows the codecs of io-ts without naming them all, which would bring 8 kB more of it, and the half says what is wrong with a value, of which a function needs all or nothing.`,
  },
  'queue/signalbox': {
    goal: 45_000,
    held: 66_800,
    heldCompiled: 41_800,
    ioTs: true,
    otherwise: `${ioTs} ${family}`,
    importing: 3.5,
    own: 5.5,
  },
  'queue/each-message': {
    goal: 45_000,
    held: 52_000,
    heldCompiled: 28_450,
    ioTs: true,
    otherwise: `${ioTs} ${family}`,
    importing: 2.2,
    own: 5.5,
  },
  'queue/without-codec': {
    goal: 45_000,
    held: 55_100,
    heldCompiled: 39_900,
    ioTs: false,
    otherwise: family,
    importing: 3.5,
    own: 5.5,
  },
  'user-pool/signalbox': {
    goal: 45_000,
    held: 47_550,
    heldCompiled: 41_750,
    ioTs: false,
    otherwise: family,
    importing: 3.5,
    own: 5.5,
  },
  'mail-flow/signalbox': {
    goal: 45_000,
    held: 43_600,
    heldCompiled: 41_150,
    ioTs: false,
    otherwise: family,
    importing: 3.5,
    own: 5.5,
  },
  'load-balancer/signalbox': {
    goal: 52_000,
    held: 91_000,
    heldCompiled: 61_300,
    ioTs: true,
    otherwise: `${ioTs} Routes, cookies, forms and both forms of headers make the family the largest. ${family}`,
    importing: 6,
    own: 8,
  },
}

export const coldContenders: readonly ColdContender[] = [
  { name: 'an empty file', role: 'floor', file: 'empty' },
  { name: 'bare middy', role: 'floor', file: 'middy' },
  { name: 'Signalbox codec', role: 'ours', file: 'signalbox-codec' },
  { name: 'Signalbox queue', role: 'ours', file: 'queue/signalbox' },
  { name: 'Signalbox queue, codec compiled', role: 'ours', file: 'queue/signalbox', compiled: true },
  { name: 'Signalbox eachMessage, codec compiled', role: 'ours', file: 'queue/each-message', compiled: true },
  { name: 'Signalbox, all four', role: 'ours', file: 'queue/all-four' },
  { name: 'middy batch + io-ts', role: 'peer', file: 'queue/middy-io-ts' },
  { name: 'Powertools batch + zod 4', role: 'peer', file: 'queue/powertools-zod' },
  { name: 'Powertools batch + valibot', role: 'peer', file: 'queue/powertools-valibot' },
  {
    name: 'middy batch + io-ts, bodies only',
    role: 'peer',
    file: 'queue/middy-io-ts-bodies',
  },
  { name: 'middy batch + ajv, bodies only', role: 'peer', file: 'queue/middy-ajv-bodies' },
  {
    name: 'Powertools batch + zod 4, bodies only',
    role: 'peer',
    file: 'queue/powertools-zod-bodies',
  },
  {
    name: 'Powertools batch + zod 4 mini, bodies only',
    role: 'peer',
    file: 'queue/powertools-zod-mini-bodies',
  },
  {
    name: 'Powertools batch + valibot, bodies only',
    role: 'peer',
    file: 'queue/powertools-valibot-bodies',
  },
  { name: 'Signalbox user-pool', role: 'ours', file: 'user-pool/signalbox' },
  { name: 'Signalbox user-pool, for production', role: 'ours', file: 'user-pool/signalbox', compiled: true },
  { name: 'middy + ajv', role: 'peer', file: 'user-pool/middy-ajv' },
  { name: 'middy + zod 4', role: 'peer', file: 'user-pool/middy-zod' },
  { name: 'Powertools parser + zod 4', role: 'peer', file: 'user-pool/powertools-zod' },
  { name: 'Signalbox mail-flow', role: 'ours', file: 'mail-flow/signalbox' },
  { name: 'Signalbox mail-flow, for production', role: 'ours', file: 'mail-flow/signalbox', compiled: true },
  { name: 'Signalbox load-balancer', role: 'ours', file: 'load-balancer/signalbox' },
  {
    name: 'Signalbox load-balancer, codec compiled',
    role: 'ours',
    file: 'load-balancer/signalbox',
    compiled: true,
  },
  { name: 'middy router + ajv', role: 'peer', file: 'load-balancer/middy-ajv' },
  {
    name: 'Hono, Lambda adapter + zod 4',
    role: 'peer',
    file: 'load-balancer/hono-zod',
  },
  { name: 'lambda-api + ajv', role: 'peer', file: 'load-balancer/lambda-api-ajv' },
  {
    name: 'Powertools event handler + zod 4',
    role: 'peer',
    file: 'load-balancer/powertools-zod',
  },
  { name: 'middy router', role: 'peer', file: 'load-balancer/middy' },
  { name: 'Hono, Lambda adapter', role: 'peer', file: 'load-balancer/hono' },
  { name: 'lambda-api', role: 'peer', file: 'load-balancer/lambda-api' },
  {
    name: 'Powertools event handler',
    role: 'peer',
    file: 'load-balancer/powertools',
  },
  { name: 'Signalbox, no telemetry', role: 'ours', file: 'telemetry/none' },
  { name: 'Signalbox telemetry(), no SDK', role: 'ours', file: 'telemetry/telemetry' },
  { name: "Signalbox telemetry({ export: 'otlp' })", role: 'ours', file: 'telemetry/otlp' },
  { name: 'Signalbox telemetry with log()', role: 'ours', file: 'telemetry/log' },
  { name: 'Powertools Tracer', role: 'peer', file: 'telemetry/powertools-tracer' },
  { name: 'Powertools Tracer, Logger and Metrics', role: 'peer', file: 'telemetry/powertools' },
  { name: 'OpenTelemetry NodeSDK with OTLP', role: 'peer', file: 'telemetry/opentelemetry' },
]
