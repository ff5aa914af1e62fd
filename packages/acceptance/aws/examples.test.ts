import { describe, expect, it } from '@jest/globals'
import { aws, fromAws } from '@signalbox/aws'
import { eventFiles } from '@signalbox/aws/fixtures/events'
import { errorPayload } from '@signalbox/core/payload'
import { handler as everything } from '@signalbox/examples/everything/handler'
import { handler as mailroom } from '@signalbox/examples/mailroom/handler'
import { handler as orders } from '@signalbox/examples/orders/handler'
import { handler as shop } from '@signalbox/examples/shop/handler'
import { handler as signUp } from '@signalbox/examples/sign-up/handler'
import { httpVerdict } from '@signalbox/load-balancer/contract'
import { mailVerdict } from '@signalbox/mail-flow/contract'
import { batchVerdict } from '@signalbox/queue/contract'
import { triggerVerdict } from '@signalbox/user-pool/contract'

/** Returns the kind of the platform's verdict about the result of a function on AWS. */
async function conclude(
  handler: (event: unknown) => Promise<unknown>,
  folder: string,
  event: unknown,
): Promise<string> {
  const sent = structuredClone(event)
  let payload: string
  try {
    payload = JSON.stringify(fromAws(await aws(handler)(sent)))
  } catch (error) {
    if ((error as Error).name === 'UnknownEventError') return 'of no family that is served'
    payload = errorPayload(error)
  }
  const neutral = fromAws(event) as never
  if (folder === 'cognito') return triggerVerdict(payload, neutral).kind
  if (folder === 'sqs') return batchVerdict(payload, neutral).kind
  if (folder === 'alb') return httpVerdict(payload, neutral).kind
  return mailVerdict(payload, neutral).kind
}

const notServed = ['of no family that is served']
const trigger = ['accepted', 'denied']
const batch = ['success', 'partial', 'failure']

describe('example functions', () => {
  const programs = {
    'sign-up': { handler: signUp, cognito: trigger, sqs: notServed, alb: notServed, workmail: notServed },
    orders: {
      handler: orders,
      cognito: notServed,
      sqs: ['partial', 'success'],
      alb: notServed,
      workmail: notServed,
    },
    mailroom: {
      handler: mailroom,
      cognito: notServed,
      sqs: notServed,
      alb: notServed,
      workmail: ['decided'],
    },
    shop: { handler: shop, cognito: notServed, sqs: notServed, alb: ['answered'], workmail: notServed },
    everything: {
      handler: everything,
      cognito: trigger,
      sqs: batch,
      alb: ['answered'],
      workmail: ['decided'],
    },
  }

  it.each(Object.entries(programs))(
    '%s either responds to or refuses each AWS event in the fixtures',
    async (_name, program) => {
      for (const [file, event] of eventFiles) {
        const folder = file.slice(0, file.indexOf('/')) as 'cognito' | 'sqs' | 'alb' | 'workmail'
        const conclusion = await conclude(program.handler, folder, event)
        expect({ file, conclusion, fits: program[folder].includes(conclusion) }).toMatchObject({ fits: true })
      }
    },
  )
})
