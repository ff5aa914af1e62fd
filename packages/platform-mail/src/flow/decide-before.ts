import { mailVerdict } from '@signalbox/mail-flow/contract'
import type { SourceContext } from '@signalbox/platform-runtime'
import type { DecideBefore, EarlyDecision, OfferedMail, RecipientDecision } from '../api/decision.ts'
import type { MailSettings, PatternRule } from '../config/mail-settings.ts'
import { mailHead } from '../message/mail-head.ts'
import type { RememberedDecision } from '../store/early-decision.ts'
import type { MailStore } from '../store/mail-store.ts'
import { mailSummary } from './accepted-mail.ts'
import { addedAddresses } from './added-recipients.ts'
import { concurrencyOf } from './concurrency.ts'
import { delivers, fallbackReason } from './invocations.ts'
import type { InvokeRule } from './invoke-rule.ts'
import { keptDecision, keptText } from './kept-decision.ts'
import { type InvokedMail, mailEvent } from './mail-event.ts'
import { invocationIdOf, type OfferedGroup, offeredGroups } from './offered-groups.ts'
import { sentence } from './sentence.ts'
import { turns } from './turns.ts'

export type { DecideBefore, EarlyDecision } from '../api/decision.ts'

/** Decides on mails before their clients get replies. */
export interface EarlyDecisions {
  readonly decide: DecideBefore
  /** Returns the text of a mail on which functions are deciding, because it is not stored yet. */
  readonly raw: (id: string) => Buffer | undefined
  /**
   * Lets all clients come again later, at once. Resolves when the functions have decided, which is remembered, or after
   * `grace` milliseconds.
   */
  readonly stop: (grace: number) => Promise<void>
}

/**
 * The maximum number of milliseconds that a client waits for a free instance of a function. Clients wait for a reply for
 * at least five minutes.
 */
const turnLimit = 60_000

/** What came of a group: something that is remembered, or a reason to come again later. */
type GroupResult = { readonly kept: RememberedDecision } | { readonly later: string }

/**
 * Invokes functions for mails that are not accepted yet. Each rule of a mail is invoked once for the same sender,
 * Message-ID, recipients and content, and once more where it cannot change the mail. When the function fails, the client has to come again, until the timeout of the rule
 * has passed since the first failure. Then the fallback applies. See docs/decisions/mail.md#before-the-reply.
 */
export function decideBefore(
  store: Pick<MailStore, 'earlyDecisions' | 'rememberEarly'>,
  settings: Pick<MailSettings, 'domains' | 'rules' | 'functions'>,
  invoke: InvokeRule,
  { clock, machineClock }: Pick<SourceContext, 'clock' | 'machineClock'>,
): EarlyDecisions {
  const lines = new Map<string, ReturnType<typeof turns>>()
  const lineOf = (functionName: string) => {
    const line =
      lines.get(functionName) ?? turns(concurrencyOf(functionName, settings), turnLimit, machineClock)
    lines.set(functionName, line)
    return line
  }
  const texts = new Map<string, Buffer>()
  /** The attempts that are running. A client that sends a mail again meanwhile gets the result of the first one. */
  const attempts = new Map<string, Promise<GroupResult>>()
  const running = new Set<Promise<unknown>>()
  /** Ends the waiting of each client. */
  const leaving = new Set<() => void>()
  let isStopping = false

  const attempt = async (
    { key, content, recipients, ...group }: OfferedGroup,
    rule: PatternRule,
    mail: OfferedMail,
    before: RememberedDecision | undefined,
  ): Promise<GroupResult> => {
    const { directionOf, contentProblem } = mail
    const { frozen } = group
    const invoked: InvokedMail = {
      id: invocationIdOf({ key, content, recipients, ...group }),
      of: mailSummary(mail, mailHead(mail.raw)),
      rule,
      recipients: recipients.map(address => ({ address })),
    }
    const failures = before?.decision === undefined ? (before?.failures ?? 0) : 0
    const result = await lineOf(rule.functionName)(() =>
      invoke({ ...invoked, attempts: failures, frozen, contentProblem }, directionOf),
    )
    if (result === undefined) return { later: `${rule.functionName} has no free instance` }
    const { verdict } = result
    const remember = (decision?: string, raw?: Buffer) =>
      store.rememberEarly({ key, content, decision, raw }, clock.now())
    if (verdict.kind !== 'failed') {
      const added = addedAddresses(verdict, rule.direction, settings, directionOf)
      return { kept: await remember(keptText(verdict, added), delivers(verdict) ? result.raw : undefined) }
    }
    const failed = await remember()
    if (failed.decision !== undefined) return { kept: failed }
    const why = sentence(verdict.why)
    if (failed.failingFor < rule.timeout * 60_000) return { later: `${rule.functionName} failed (${why})` }
    const fallback = mailVerdict(undefined, mailEvent(invoked).whole, { fallback: rule.fallback })
    const reason = fallbackReason({ attempts: failed.failures, why, rule })
    return { kept: await remember(keptText(fallback, [], reason)) }
  }

  const resultOf = async (
    group: OfferedGroup,
    mail: OfferedMail,
    before: RememberedDecision | undefined,
  ): Promise<GroupResult> => {
    const { rule, key, content } = group
    if (before?.decision !== undefined && before.content === content) return { kept: before }
    if (rule === undefined)
      return { kept: await store.rememberEarly({ key, content, decision: '' }, clock.now()) }
    const name = `${key} ${content}`
    const result =
      attempts.get(name) ?? attempt(group, rule, mail, before).finally(() => attempts.delete(name))
    attempts.set(name, result)
    return result
  }

  const decideNow = async (mail: OfferedMail, groups: readonly OfferedGroup[]): Promise<EarlyDecision> => {
    const known = await store.earlyDecisions(
      groups.map(({ key }) => key),
      clock.now(),
    )
    const byKey = new Map(known.map(each => [each.key, each]))
    const results = await Promise.all(groups.map(group => resultOf(group, mail, byKey.get(group.key))))
    const decisions = new Map<string, RecipientDecision>()
    const added = groups.flatMap(({ rule, recipients, key, content }, at) => {
      const name = { key, content }
      const result = results[at]!
      if ('later' in result) {
        for (const address of recipients)
          decisions.set(address, { address, kind: 'later', why: result.later })
        return []
      }
      const { storedAs, decision = '', raw } = result.kept
      if (rule === undefined) {
        for (const address of recipients) decisions.set(address, { address, kind: 'open', name, storedAs })
        return []
      }
      const { failed, choiceFor, added } = keptDecision(decision)
      for (const address of recipients)
        decisions.set(address, {
          address,
          kind: 'decided',
          ...choiceFor(address),
          failed,
          name,
          storedAs,
          raw,
        })
      return added.map(each => ({ ...each, direction: rule.direction, name, storedAs, raw }))
    })
    return { recipients: mail.recipients.map(address => decisions.get(address)!), added }
  }

  const putOff = ({ recipients }: OfferedMail): EarlyDecision => ({
    recipients: recipients.map(address => ({ address, kind: 'later', why: 'the platform is stopping' })),
    added: [],
  })

  return {
    async decide(mail) {
      const groups = offeredGroups(mail, settings)
      if (groups.length === 0) return undefined
      if (isStopping) return putOff(mail)
      texts.set(mail.id, mail.raw)
      const decision = decideNow(mail, groups)
      const end = decision.then(
        () => {},
        () => {},
      )
      running.add(end)
      void end.then(() => {
        running.delete(end)
        texts.delete(mail.id)
      })
      let leave = () => {}
      const left = new Promise<EarlyDecision>(resolve => {
        leave = () => resolve(putOff(mail))
      })
      leaving.add(leave)
      return Promise.race([decision, left]).finally(() => leaving.delete(leave))
    },

    raw: id => texts.get(id),

    async stop(grace) {
      isStopping = true
      for (const leave of leaving) leave()
      let cancel = () => {}
      const over = new Promise<void>(resolve => (cancel = machineClock.after(grace, resolve)))
      await Promise.race([Promise.all(running), over])
      cancel()
    },
  }
}
