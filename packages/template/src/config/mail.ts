import { type Place, wrongAt } from '../document/template-error.ts'
import type { Properties } from '../resources/properties.ts'
import { functionNamed } from '../resources/resource-names.ts'
import type { Resource } from '../resources/stack.ts'
import type { Warnings } from '../resources/warnings.ts'
import { defined, type Part } from './config.ts'
import type { OptionPlaces } from './option-places.ts'
import { inRuleOrder } from './receipt-order.ts'

/** The resources that the rules of mail are made of. */
export interface ReceiptResources {
  readonly rules: readonly Resource[]
  readonly ruleSets: readonly Resource[]
  /** The names of the rule sets that are active, if the template says so. */
  readonly active: readonly string[]
}

/** What the actions of a receipt rule mean here, other than those that call a function. */
const otherActions: { readonly [action: string]: string } = {
  S3Action: 'no bucket gets the mail: it is in the mailboxes of the platform',
  SNSAction: 'no topic gets a notification',
  BounceAction: 'the mail is delivered instead of bounced',
  StopAction: 'one rule decides on a mail here, so no other has to be stopped',
  AddHeaderAction: 'the mail gets no further header',
  WorkmailAction: 'the mail is in the mailboxes of the platform',
  ConnectAction: 'Amazon Connect does not get the mail',
}

/** The form of a recipient of a receipt rule: an address, a domain, or the subdomains of a domain. */
const recipientForm = /^(?:[^\s@*]+@)?[^\s@*.][^\s@*]*$|^\.[^\s@*.][^\s@*]*$/

/** A receipt rule that calls a function. */
interface FunctionRule {
  readonly id: string
  readonly place: Place
  readonly recipients: readonly string[] | undefined
  readonly part: Part
}

/**
 * Returns the configuration of mail, or undefined for a template without receipt rules that run. The domains are those of
 * their recipients.
 * @param beside the configuration of mail beside the template
 */
export function mailOf(
  resources: ReceiptResources,
  functions: ReadonlySet<string>,
  beside: Part,
  places: OptionPlaces,
  warnings: Warnings,
): Part | undefined {
  const running = runningRules(resources, warnings)
  const found = running.flatMap(rule => ruleOf(rule, functions, warnings))
  const domains = domainsOf(found.map(({ recipients }) => recipients))
  const own = found.flatMap(each => (each.part === undefined ? [] : [{ ...each, part: each.part }]))
  if (Object.keys(domains).length === 0 && Object.keys((beside.domains ?? {}) as Part).length === 0) {
    for (const { id } of found)
      warnings.missing(
        `${id} gets no mail, because its recipients name no domain. Set \`mail.domains\` in a configuration.`,
      )
    return undefined
  }
  const rules = withoutDoubles(own, warnings)
  for (const [at, { place }] of rules.entries()) places.add('mailRules', ['mail', 'rules', at], place)
  return found.length === 0 ? undefined : { domains, rules: rules.map(({ part }) => part) }
}

/** Returns the enabled rules of the active rule set in their order. */
function runningRules(
  { rules, ruleSets, active }: ReceiptResources,
  warnings: Warnings,
): readonly Resource[] {
  const setOf = ({ properties }: Resource) => properties.text('RuleSetName')
  const sets = new Set([...ruleSets.map(each => setOf(each) ?? each.id), ...rules.map(each => setOf(each))])
  const isActive = (name: string | undefined) =>
    active.length > 0 ? name !== undefined && active.includes(name) : sets.size === 1
  const enabled = rules.filter(rule => {
    const { id, properties } = rule
    const isEnabled = properties.object('Rule')?.flag('Enabled') === true
    if (!isEnabled) {
      properties.object('Rule')?.entries()
      warnings.ignored(rule.type, `${id} is not enabled`)
    } else if (!isActive(setOf(rule)))
      warnings.missing(
        active.length > 0
          ? `${id} gets no mail, because its rule set is not the active one.`
          : `${id} gets no mail, because only the cloud knows which of the rule sets is active.`,
      )
    return isEnabled && isActive(setOf(rule))
  })
  return inRuleOrder(enabled, rules)
}

function ruleOf({ id, type, properties }: Resource, functions: ReadonlySet<string>, warnings: Warnings) {
  const rule = properties.object('Rule')!
  rule.text('Name')
  const recipients = rule.texts('Recipients')
  if (!rule.isWhole('Recipients')) {
    warnings.missing(`${id} gets no mail, because only the cloud knows its recipients.`)
    return []
  }
  for (const [at, recipient] of (recipients ?? []).entries())
    if (!recipientForm.test(recipient))
      throw wrongAt(
        [...rule.place, 'Recipients', at],
        'an address, a domain, or subdomains such as .office.example',
        JSON.stringify(recipient),
      )
  if (rule.flag('ScanEnabled') === true)
    warnings.ignored(
      type,
      '`ScanEnabled`: mail is not scanned for spam and viruses. `mail.authentication` in a configuration checks SPF, DKIM and DMARC',
    )
  if (rule.text('TlsPolicy') === 'Require')
    warnings.missing(`${id} takes mail without TLS here. Set \`mail.tls\` in a configuration.`)
  return [
    {
      id,
      place: properties.place,
      recipients,
      part: calleeOf(id, type, rule, recipients, functions, warnings),
    },
  ]
}

/** Returns the mail rule that calls the function of a receipt rule, or undefined when it has none here. */
function calleeOf(
  id: string,
  type: string,
  rule: Properties,
  recipients: readonly string[] | undefined,
  functions: ReadonlySet<string>,
  warnings: Warnings,
): Part | undefined {
  if (!rule.isWhole('Actions')) warnings.missing(`${id} has actions that only the cloud knows.`)
  const actions = rule.list('Actions')
  for (const action of actions)
    for (const [name] of action.entries())
      if (name !== 'LambdaAction')
        warnings.ignored(type, `${name}: ${otherActions[name] ?? 'nothing here does that'}`)
  const lambdas = actions.flatMap(action => action.object('LambdaAction') ?? [])
  const callees = lambdas.flatMap(lambda => {
    const arn = lambda.text('FunctionArn')
    const name = arn && functionNamed(arn)
    if (lambda.text('TopicArn') !== undefined)
      warnings.ignored(type, '`LambdaAction.TopicArn`: no topic gets a notification')
    if (name === undefined || !functions.has(name)) {
      warnings.missing(`${id} calls no function for mail, because ${name ?? 'its function'} does not run.`)
      return []
    }
    return [{ name, isAwaited: lambda.text('InvocationType') === 'RequestResponse' }]
  })
  const [callee, ...others] = callees
  for (const { name } of others)
    warnings.missing(`${id} does not call ${name}, because one function decides on a mail here.`)
  if (callee === undefined) return undefined
  warnings.missing(
    `${callee.name} gets mail as an event of the platform, not as a record of SES: \`sesMail()\` of @signalbox/aws takes both.`,
  )
  return defined({
    direction: 'INBOUND',
    function: callee.name,
    recipients: recipients?.map(each => (each.startsWith('.') ? `*${each}` : each)),
    mode: callee.isAwaited ? undefined : 'async',
  })
}

/** Returns the domains of recipients. When all are addresses, only these get mail, as SES takes no other. */
function domainsOf(all: readonly (readonly string[] | undefined)[]): { readonly [domain: string]: Part } {
  const found = new Map<string, { readonly locals: Set<string>; isWhole: boolean }>()
  for (const recipient of all.flatMap(each => each ?? [])) {
    if (recipient.startsWith('.')) continue
    const at = recipient.lastIndexOf('@')
    const domain = recipient.slice(at + 1).toLowerCase()
    const known = found.get(domain) ?? { locals: new Set<string>(), isWhole: false }
    found.set(domain, known)
    if (at < 0) known.isWhole = true
    else known.locals.add(recipient.slice(0, at))
  }
  /** Whether a rule is for all recipients of a domain without its name. */
  const isCovered = (domain: string) =>
    all.some(
      each =>
        each === undefined || each.some(one => one.startsWith('.') && domain.endsWith(one.toLowerCase())),
    )
  return Object.fromEntries(
    [...found].map(([domain, { locals, isWhole }]) => [
      domain,
      { to: 'mailboxes', ...(!isWhole && !isCovered(domain) && { recipients: [...locals] }) },
    ]),
  )
}

/** Returns rules without those that would never be asked, because an earlier one is for the same recipients. */
function withoutDoubles(rules: readonly FunctionRule[], warnings: Warnings): readonly FunctionRule[] {
  const first = new Map<string, FunctionRule>()
  return rules.filter(rule => {
    const key = JSON.stringify([...(rule.recipients ?? [])].map(each => each.toLowerCase()).sort())
    const other = first.get(key)
    if (other !== undefined)
      warnings.missing(
        `${rule.id} does not call ${rule.part.function}, because one function decides on a mail here, and ${other.id} is for the same recipients.`,
      )
    else first.set(key, rule)
    return other === undefined
  })
}
