import { isObject, kindOf, type Problem, pointerTo } from '@signalbox/codec'
import { TemplateError } from '../document/template-error.ts'
import { NotHere } from './not-here.ts'

/** The values of the pseudo parameters that differ between stacks. */
export interface StackNames {
  readonly region: string
  readonly account: string
  readonly stack: string
}

const fromTheCloud = Symbol('from the cloud')

/**
 * Returns a function with the values of the parameters of a template and of the pseudo parameters, by name.
 * @param given the values of parameters by name, which win over the defaults of the template
 * @throws TemplateError for a parameter without a value, a value that is not allowed, and given values without a parameter
 */
export function parametersOf(
  declared: unknown,
  given: { readonly [name: string]: string },
  { region, account, stack }: StackNames,
): (name: string) => unknown {
  const values = new Map<string, unknown>([
    ['AWS::Region', region],
    ['AWS::AccountId', account],
    ['AWS::StackName', stack],
    ['AWS::StackId', `arn:aws:cloudformation:${region}:${account}:stack/${stack}/local`],
    ['AWS::Partition', 'aws'],
    ['AWS::URLSuffix', 'amazonaws.com'],
    ['AWS::NotificationARNs', []],
  ])
  const problems: Problem[] = []
  const parameters = isObject(declared) ? declared : {}
  for (const [name, each] of Object.entries(parameters)) {
    const parameter = isObject(each) ? each : {}
    const type = String(parameter.Type ?? 'String')
    const isGiven = Object.hasOwn(given, name)
    const value = isGiven ? given[name] : parameter.Default
    const pointer = pointerTo('Parameters', name)
    if (value === undefined) {
      problems.push({
        pointer,
        expected: `a value: --parameter ${name}=…`,
        actual: 'neither that nor a default',
      })
      continue
    }
    const isList = /^CommaDelimitedList$|List</.test(type)
    // Each element of a list has to be allowed.
    const elements = isList ? listOf(value) : [String(value)]
    const allowed = parameter.AllowedValues
    const isNumber = /^(?:List<)?Number\b/.test(type)
    if (Array.isArray(allowed) && !elements.every(each => allowed.some(one => String(one) === each)))
      problems.push({ pointer, expected: `one of ${allowed.join(', ')}`, actual: shown(parameter, value) })
    else if (isNumber && !elements.every(isNumeric))
      problems.push({ pointer, expected: 'a number', actual: shown(parameter, value) })
    else problems.push(...outOfBounds(parameter, isNumber, elements, pointer, shown(parameter, value)))
    // The default of such a parameter is the name of a value in the cloud.
    if (type.startsWith('AWS::SSM::Parameter::') && !isGiven) values.set(name, fromTheCloud)
    else if (isList) values.set(name, elements)
    else if (typeof value === 'object') problems.push({ pointer, expected: 'a text', actual: kindOf(value) })
    else values.set(name, String(value))
  }
  for (const name of Object.keys(given))
    if (!Object.hasOwn(parameters, name))
      problems.push({
        pointer: '/Parameters',
        expected: `one of ${Object.keys(parameters).join(', ') || 'none'}`,
        actual: `--parameter ${name}`,
      })
  if (problems.length > 0) throw new TemplateError(problems)
  return name => {
    const value = values.get(name)
    if (value === fromTheCloud)
      throw new NotHere(`the parameter ${name} has its value in the cloud. Give it: --parameter ${name}=…`)
    return value
  }
}

function isNumeric(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text))
}

/** Returns the bound that a parameter does not keep: one of its number or, for a text, of its length. */
function outOfBounds(
  parameter: { readonly [name: string]: unknown },
  isNumber: boolean,
  elements: readonly string[],
  pointer: string,
  actual: string,
): readonly Problem[] {
  const [least, most, what] = isNumber
    ? [parameter.MinValue, parameter.MaxValue, 'a number']
    : [parameter.MinLength, parameter.MaxLength, 'a text with a number of characters']
  const isWithin = (text: string) => {
    const size = isNumber ? Number(text) : text.length
    return !(size < Number(least ?? -Infinity) || size > Number(most ?? Infinity))
  }
  if (elements.every(isWithin)) return []
  const from = least === undefined ? '' : ` from ${least}`
  const to = most === undefined ? '' : ` to ${most}`
  return [{ pointer, expected: `${what}${from}${to}`, actual }]
}

/** The length from which on a value may be a secret: shorter ones are in every other word. */
const leastSecret = 4

/** Returns the values of parameters with `NoEcho`. */
export function secretsIn(declared: unknown, given: { readonly [name: string]: string }): readonly string[] {
  return Object.entries(isObject(declared) ? declared : {}).flatMap(([name, parameter]) => {
    if (!isObject(parameter) || String(parameter.NoEcho) !== 'true') return []
    const value = String((Object.hasOwn(given, name) ? given[name] : parameter.Default) ?? '')
    return [value, ...value.split(',').map(each => each.trim())]
  })
}

/** Returns a function that hides secrets in a text. */
export function maskOf(secrets: readonly string[]): (text: string) => string {
  const hidden = secrets
    .filter(secret => secret.length >= leastSecret)
    .sort((one, other) => other.length - one.length)
  return text => hidden.reduce((rest, secret) => rest.replaceAll(secret, '****'), text)
}

function listOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value.map(String) : String(value).split(',')).map(each => each.trim())
}

function shown({ NoEcho }: { readonly [name: string]: unknown }, value: unknown): string {
  return String(NoEcho) === 'true' ? 'another value' : JSON.stringify(value)
}
