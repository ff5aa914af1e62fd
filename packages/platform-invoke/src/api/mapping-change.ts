import { isObject } from '@signalbox/codec'
import type { MappingChange } from '@signalbox/platform-runtime'
import { InvokeError } from './invoke-error.ts'

/** Settings that name the mapping rather than its delivery. */
const naming = new Set(['FunctionName', 'EventSourceArn', 'UUID'])

/** What is read of a request about a mapping. A function refuses what is not a value of its setting. */
const settings: { readonly [name: string]: (value: unknown) => MappingChange } = {
  Enabled: value => ({ isEnabled: typeof value === 'boolean' ? value : refuse('Enabled', 'true or false') }),
  BatchSize: value => ({ batchSize: whole('BatchSize', value, 1, 10_000) }),
  MaximumBatchingWindowInSeconds: value => ({
    batchWindow: whole('MaximumBatchingWindowInSeconds', value, 0, 300),
  }),
  FunctionResponseTypes: value =>
    Array.isArray(value) && value.every(each => each === 'ReportBatchItemFailures')
      ? { reportBatchItemFailures: value.length > 0 }
      : refuse('FunctionResponseTypes', 'a list of ReportBatchItemFailures'),
  ScalingConfig(value) {
    if (!isObject(value)) return refuse('ScalingConfig', 'an object')
    refuseOthers('ScalingConfig', value, 'MaximumConcurrency')
    const { MaximumConcurrency } = value
    // An empty object removes the limit.
    if (MaximumConcurrency === undefined || MaximumConcurrency === null) return { maximumConcurrency: 0 }
    return { maximumConcurrency: whole('ScalingConfig.MaximumConcurrency', MaximumConcurrency, 2, 1000) }
  },
  FilterCriteria(value) {
    if (!isObject(value)) return refuse('FilterCriteria', 'an object')
    refuseOthers('FilterCriteria', value, 'Filters')
    const { Filters = [] } = value
    if (!Array.isArray(Filters) || Filters.length > 10)
      return refuse('FilterCriteria.Filters', 'a list of at most 10 filters')
    return { filter: Filters.map(patternOf) }
  },
}

/**
 * Reads the settings of a request that creates or changes a mapping. Empty values of others are ignored, because clients send
 * them for what they do not set.
 * @throws InvokeError for a setting that queues do not have here, and for a value that is not one of its setting
 */
export function mappingChange(request: { readonly [name: string]: unknown }): MappingChange {
  let change: MappingChange = {}
  for (const [name, value] of Object.entries(request)) {
    if (value === undefined || value === null || naming.has(name)) continue
    const read = Object.hasOwn(settings, name) ? settings[name] : undefined
    if (read !== undefined) change = { ...change, ...read(value) }
    else if (!isEmpty(value))
      throw new InvokeError(
        'InvalidParameterValueException',
        `${name} is not supported: queues of this platform have ${Object.keys(settings).join(', ')}.`,
      )
  }
  return change
}

function isEmpty(value: unknown): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
}

function refuse(name: string, expected: string): never {
  throw new InvokeError('InvalidParameterValueException', `${name} must be ${expected}.`)
}

function refuseOthers(name: string, value: object, known: string): void {
  const other = Object.keys(value).find(key => key !== known)
  if (other !== undefined) refuse(`${name}.${other}`, `left out: only ${known} is known`)
}

function whole(name: string, value: unknown, least: number, most: number): number {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most
    ? Number(value)
    : refuse(name, `an integer from ${least} to ${most}`)
}

/** Returns the pattern of a filter, which is JSON in a text. */
function patternOf(filter: unknown): object {
  const text = isObject(filter) ? filter.Pattern : undefined
  try {
    const pattern: unknown = JSON.parse(String(text))
    if (typeof text === 'string' && text.length <= 4096 && isObject(pattern)) return pattern
  } catch {
    // Refused below.
  }
  return refuse('FilterCriteria.Filters.Pattern', 'a pattern in JSON of at most 4096 characters')
}
