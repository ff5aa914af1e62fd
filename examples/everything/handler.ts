import inputOutputLogger from '@middy/input-output-logger'
import { fromJson } from '@signalbox/codec'
import { signalbox } from '@signalbox/core'
import { get, json, loadBalancer } from '@signalbox/load-balancer'
import { mailFlow } from '@signalbox/mail-flow'
import { queue } from '@signalbox/queue'
import { deny, passThrough, userPool } from '@signalbox/user-pool'
import * as t from 'io-ts'
import { log, secretPaths } from './log.ts'

/** The number of free seats in each course. */
const seats = new Map([
  ['pottery', 3],
  ['welding', 0],
])

const Booking = t.type({ course: t.string, seats: t.number })

// #region pieces
const triggers = userPool({
  PreSignUp: ({ userName }) => {
    if (userName.startsWith('guest-')) deny('Guests cannot sign up')
    return { autoConfirmUser: false }
  },
  otherwise: passThrough,
})

const bookings = queue({
  body: fromJson(Booking),
  onMessage: ({ body }) => {
    const left = seats.get(body.course) ?? 0
    if (left < body.seats) throw new Error(`only ${left} seats left in ${body.course}`)
    seats.set(body.course, left - body.seats)
  },
})

const mail = mailFlow((mail, actions) =>
  mail.recipients.includes('noreply@school.example')
    ? actions.bounce('This address does not accept mail', ['noreply@school.example']).default()
    : actions.default(),
)

const site = loadBalancer([
  get('/courses/{name}', ({ params }) => json({ course: params.name, seats: seats.get(params.name) ?? 0 })),
])
// #endregion pieces

// #region handler
export const handler = signalbox(triggers, bookings, mail, site).use(
  inputOutputLogger({ logger: log, omitPaths: secretPaths }),
)
// #endregion handler
