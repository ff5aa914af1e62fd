import { signalbox } from '@signalbox/core'
import { mailFlow } from '@signalbox/mail-flow'
import { mailVerdict } from '@signalbox/mail-flow/contract'
import { decideByHand } from '../contenders/mail.ts'
import type { Handler } from '../contenders/stack.ts'
import { outboundMail } from '../data/mail.ts'
import { inTurn } from '../data/turn.ts'
import type { Contender, Role, Work } from '../harness/work.ts'

const recipients = 500
const actions = 10

/** The recipients of each action, which are the same for all contenders. */
const lists = Array.from({ length: actions }, (_, number) =>
  outboundMail(recipients)
    .envelope.recipients.filter((_, position) => position % actions === number)
    .map(({ address }) => address),
)

const ours = signalbox(
  mailFlow((_, builder) => {
    for (let i = 0; i < actions; i++) builder.bounce(`Department ${i} has closed`, lists[i]!)
    return builder
  }),
)

const context = {}

function contender(name: string, role: Role, handler: Handler): Contender {
  const next = inTurn(Array.from({ length: 4 }, () => outboundMail(recipients)))
  return {
    name,
    role,
    run: () => handler(next() as never, context as never),
    answers: async () => {
      const event = outboundMail(recipients)
      return mailVerdict(JSON.stringify(await handler(event as never, context as never)), event as never)
    },
  }
}

const setup = '500 recipients'

export const work: Work = {
  name: 'mail',
  title: 'Mail: build and check ten actions for 500 recipients',
  roundTime: 100e6,
  setups: [
    {
      name: setup,
      contenders: [
        contender('hand-written', 'limit', (async (event: never) => decideByHand(event, lists)) as Handler),
        contender('Signalbox', 'ours', ours as Handler),
      ],
    },
  ],
  ratios: [{ setup, of: 'Signalbox', to: 'hand-written', atMost: 1.5 }],
}
