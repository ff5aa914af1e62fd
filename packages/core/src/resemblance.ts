import { UnknownEventError } from './errors.ts'
import type { Plugin } from './plugin.ts'

/** What the events of the known families look like from afar, for saying what a stranger resembles. */
const looks = {
  'user-pool': 'triggerSource userPoolId userName callerContext request region version',
  queue: 'Records',
  'mail-flow': 'envelope flowDirection summaryVersion invocationId messageId sender subject',
  'load-balancer': 'requestContext httpMethod path headers multiValueHeaders isBase64Encoded',
}

/** The error for an event that none of the plugins recognizes: what it is, what it resembles, what to do. */
export function unknownEvent(event: unknown, plugins: readonly Plugin[]): UnknownEventError {
  return new UnknownEventError(
    `${describe(event)} This handler serves ${list(plugins)}.${advise(event, plugins)}`,
  )
}

function describe(event: unknown): string {
  if (typeof event === 'string')
    return 'The event is a text, expected the object that JSON.parse makes of it.'
  if (event === null) return 'The event is null, expected an object.'
  if (Array.isArray(event)) return 'The event is an array, expected an object.'
  if (typeof event !== 'object') return `The event is a ${typeof event}, expected an object.`
  return 'The event is of no family that is served here.'
}

function list(plugins: readonly Plugin[]): string {
  return plugins.map(plugin => plugin.family.name).join(', ')
}

function advise(event: unknown, plugins: readonly Plugin[]): string {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) return ''
  const best = resemblance(event)
  if (!best) return ' It resembles none of the known families.'
  const resembles = ` It looks most like a ${best.family} event, since it has ${best.found.join(', ')}`
  const served = plugins.some(plugin => plugin.family.name === best.family)
  return served
    ? `${resembles}, but what marks one is missing or different.`
    : `${resembles}: add the plugin of ${best.package}.`
}

/** The family whose events have most of the event's keys, and those keys; undefined when it has none of them. */
export function resemblance(
  event: unknown,
): { readonly family: string; readonly package: string; readonly found: readonly string[] } | undefined {
  if (typeof event !== 'object' || event === null) return undefined
  let best: { family: string; package: string; found: string[] } | undefined
  for (const [family, marks] of Object.entries(looks)) {
    const found = marks.split(' ').filter(mark => Object.hasOwn(event, mark))
    if (found.length > (best?.found.length ?? 0)) best = { family, package: `@signalbox/${family}`, found }
  }
  return best
}
