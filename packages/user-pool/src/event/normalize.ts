import { isObject, kindOf, pointerTo } from '@signalbox/codec'
import type { Drift } from '@signalbox/core'
import { filledNodes } from '../contract/ready.ts'
import { readyNodes } from '../contract/ready-nodes.ts'
import { type ReadySource, sourceOrNew } from '../contract/triggers/ready-source.ts'

// A step in normalizing a request. The steps for each trigger source are prepared only once.
type Step = (holder: Record<string, unknown>, pointer: string, drift: Drift[] | undefined) => void

const plans = new Map<ReadySource, readonly Step[]>()

// The steps for a source are prepared when its first event arrives, because a function gets events of few sources.
function planOf(source: ReadySource): readonly Step[] {
  const plan = stepsFor(source.request)
  plans.set(source, plan)
  return plan
}

/**
 * Repairs, in place, an event's harmless departures from the contract. Attribute values that are booleans or
 * numbers become strings, and attributes that are null are removed. Absent and null maps become `{}`. A
 * missing `cloudSdkVersion` gets the value of `cloudSdk`, or "unknown". A missing `clientId`, as when an
 * administrator calls, becomes "unknown". A missing `response` becomes `{}`. All these departures are added
 * to `drift`, except missing optional maps and the missing `response` of a custom sender. The function
 * allocates nothing for a normalized event, and never throws for any JSON.
 */
export function normalizeTrigger(event: unknown, drift?: Drift[]): void {
  if (!isObject(event)) return
  const source = sourceOrNew(event.triggerSource)
  if (source === undefined) return
  const { callerContext } = event
  if (isObject(callerContext)) {
    const { cloudSdkVersion, cloudSdk, clientId } = callerContext
    if (cloudSdkVersion == null) {
      const isNamed = typeof cloudSdk === 'string'
      const became = isNamed ? 'the value of cloudSdk' : '"unknown"'
      note(drift, '/callerContext/cloudSdkVersion', cloudSdkVersion, became)
      callerContext.cloudSdkVersion = isNamed ? cloudSdk : 'unknown'
    }
    if (clientId == null) {
      note(drift, '/callerContext/clientId', clientId, '"unknown"')
      callerContext.clientId = 'unknown'
    }
  }
  if (event.response == null) {
    if (source.row.answer !== 'not read') note(drift, '/response', event.response, '{}')
    event.response = {}
  }
  const { request } = event
  if (!isObject(request)) return
  for (const step of plans.get(source) ?? planOf(source)) step(request, '/request', drift)
}

// Returns the steps for the fields of an object whose node is at this position.
function stepsFor(position: number): readonly Step[] {
  const node = readyNodes()[position]!
  const steps: Step[] = []
  for (let i = 1; i < node.length; i += 2) addSteps(steps, node[i] as string, node[i + 1] as number)
  return steps
}

function addSteps(steps: Step[], field: string, position: number): void {
  const node = readyNodes()[position]!
  const key = field.slice(1)
  if (filledNodes.includes(position)) steps.push(fill(key, field[0] === '!'))
  if (node[0] === 'record') steps.push(turnIntoTexts(key))
  const inside = node[0] === 'object' ? stepsFor(position) : []
  if (inside.length > 0) {
    steps.push((holder, pointer, drift) => {
      const value = holder[key]
      if (!isObject(value)) return
      for (const step of inside) step(value, `${pointer}/${key}`, drift)
    })
  }
}

function fill(key: string, required: boolean): Step {
  return (holder, pointer, drift) => {
    const value = holder[key]
    if (value !== undefined && value !== null) return
    if (required) note(drift, `${pointer}/${key}`, value, '{}')
    holder[key] = {}
  }
}

function turnIntoTexts(key: string): Step {
  return (holder, pointer, drift) => {
    const map = holder[key]
    if (!isObject(map)) return
    for (const name in map) {
      const value = map[name]
      if (typeof value === 'string') continue
      if (value === null) {
        note(drift, `${pointer}/${key}${pointerTo(name)}`, value, 'absent')
        delete map[name]
      } else if (typeof value === 'boolean' || typeof value === 'number') {
        note(drift, `${pointer}/${key}${pointerTo(name)}`, value, 'a string')
        map[name] = String(value)
      }
    }
  }
}

function note(drift: Drift[] | undefined, pointer: string, was: unknown, became: string): void {
  drift?.push({ pointer, was: kindOf(was), became })
}
