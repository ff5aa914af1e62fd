import { readFileSync } from 'node:fs'
import { type MailEvent, mailVerdict } from '@signalbox/mail-flow/contract'
import type { Scene } from '../scene.ts'
import { handler } from './handler.ts'

export const scenes: readonly Scene[] = [
  {
    happens: 'Rita writes to four people, of whom Gina and Omar have left',
    event: read('event.json'),
    handler,
    conclude,
    expected:
      'ann@office.example gets it; ' +
      'gina@OFFICE.example: back to the sender (Gina has left the office. Please write to ann@office.example.); ' +
      'omar@office.example: back to the sender (Omar has left the office. Please write to sales@office.example.); ' +
      'bela@office.example gets it',
  },
  {
    happens: 'A prince on the blocklist writes to Ann and Gina',
    event: read('blocked.json'),
    handler,
    conclude,
    expected: 'ann@office.example: dropped; gina@office.example: dropped',
  },
  {
    happens: 'A mail server reports a failed delivery, with the null sender',
    event: read('report.json'),
    handler,
    conclude,
    expected: 'ann@office.example gets it',
  },
]

function read(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))
}

function conclude(payload: string, event: unknown): string {
  const verdict = mailVerdict(payload, event as MailEvent, { fallback: 'DEFAULT' })
  if (verdict.kind === 'failed') return `tried again later, because ${verdict.why}`
  return verdict.recipients
    .map(({ address, disposition, action, why }) => {
      if (disposition === 'deliver') return `${address} gets it`
      if (disposition === 'drop') return `${address}: dropped`
      if (disposition === 'fallback') return `${address}: fallback, ${why}`
      const text = action.type === 'BOUNCE' ? action.parameters?.bounceMessage : undefined
      return `${address}: back to the sender (${text})`
    })
    .join('; ')
}
