import { appendFileSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { MailEvent } from '@signalbox/mail-flow/contract'
import { answerTo } from './plan.ts'

/** Returns the functions of a mail soak, which record their calls in a file. */
export function notedCalls(file: string) {
  appendFileSync(file, '')
  const seen = new Set(readFileSync(file, 'utf8').split('\n'))

  function note({ messageId, invocationId, flowDirection }: MailEvent): boolean {
    const line = `${messageId} ${flowDirection} ${invocationId}`
    const before = seen.has(line)
    appendFileSync(file, `${line}\n`)
    seen.add(line)
    return before
  }
  return {
    async sort(event: MailEvent): Promise<unknown> {
      const before = note(event)
      // This delay ensures that some decisions are pending whenever the platform is killed.
      await delay(Math.random() * 5)
      return answerTo(event, before)
    },
    watch: (event: MailEvent): void => void note(event),
  }
}

/** The mail configuration that the plan of a soak assumes. */
export const plannedMail = {
  port: 0,
  domains: { 'office.example': { to: 'mailboxes' } },
  rules: [
    { direction: 'INBOUND', function: 'sort', timeout: 7, fallback: 'BOUNCE' },
    { direction: 'OUTBOUND', function: 'watch', mode: 'async' },
  ],
  relay: 'keep',
} as const
