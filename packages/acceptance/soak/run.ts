// Runs one soak, by default that of the queues:
// `npm run soak -- queue --messages 10000 --kills 20 --groups 200 --seed 7`
// `npm run soak -- mail --mails 500 --kills 10 --seed 7`
// `npm run soak -- lmtp --mails 1000 --kills 10`
// `npm run soak -- users --users 200 --kills 20 --seed 7`
// `npm run soak -- listeners --minutes 10 --seed 7`
// `npm run soak -- clock --throws 24 --seed 7`
// `npm run soak -- disk`, which needs the rights to mount a disk
// `npm run soak -- events --events 1000000 --seed 7`
// `npm run soak -- functions --minutes 10 --seed 7`
// `npm run soak -- executions --executions 2000 --restarts 3 --seed 7`
// `npm run soak -- boxes --messages 10000 --mails 500 --users 500 --kills 30 --cuts 100 --restarts 2 --seed 7`
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { boxSoak } from './boxes/soak.ts'
import { clockSoak } from './clock/soak.ts'
import { diskSoak } from './disk/soak.ts'
import { eventSoak } from './events/soak.ts'
import { executionSoak } from './executions/soak.ts'
import { functionSoak } from './functions/soak.ts'
import { listenerSoak } from './listeners/soak.ts'
import { lmtpSoak } from './lmtp/soak.ts'
import { mailSoak } from './mail/soak.ts'
import { soak } from './queue/soak.ts'
import { userSoak } from './users/soak.ts'

function refuse(why: string): never {
  console.error(why)
  process.exit(2)
}

function asked() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        messages: { type: 'string', default: '10000' },
        groups: { type: 'string', default: '200' },
        mails: { type: 'string', default: '500' },
        users: { type: 'string' },
        kills: { type: 'string' },
        cuts: { type: 'string', default: '100' },
        restarts: { type: 'string', default: '2' },
        throws: { type: 'string', default: '12' },
        minutes: { type: 'string', default: '10' },
        executions: { type: 'string', default: '2000' },
        events: { type: 'string', default: '1000000' },
        seed: { type: 'string' },
      },
    })
  } catch (error) {
    return refuse((error as Error).message)
  }
}

const { values, positionals } = asked()
for (const [option, value] of Object.entries(values))
  if (!/^\d{1,15}$/.test(value)) refuse(`--${option} is '${value}', expected a whole number.`)
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed)
const say = (text: string) => console.log(text)

function minutes(): number {
  return Number(values.minutes) || refuse("--minutes is '0', expected at least one.")
}

/** The soaks by name. Each prints its figures and returns its violations. */
const soaks: { readonly [name: string]: () => Promise<readonly string[]> } = {
  async queue() {
    const { violations, ...figures } = await soak({
      messages: Number(values.messages),
      kills: Number(values.kills ?? 20),
      groups: Number(values.groups),
      seed,
      say,
    })
    say(
      `${figures.acknowledged} sends acknowledged, ${figures.handled} deliveries handled, ${figures.duplicates} of them again after a kill or a time-out, ` +
        `${figures.probes} old receipts tried`,
    )
    if (violations.length === 0) say('Nothing lost, nothing out of order.')
    return violations
  },
  async mail() {
    const { violations, ...figures } = await mailSoak({
      mails: Number(values.mails),
      kills: Number(values.kills ?? 10),
      seed,
      say,
    })
    say(
      `${figures.acknowledged} mails acknowledged, ${figures.unacknowledged} broken off by a kill, ` +
        `${figures.delivered} in mailboxes, ${figures.reports} reports, ` +
        `${figures.calls} calls of functions, ${figures.repeated} of them for a mail they had seen`,
    )
    if (violations.length === 0) say('Nothing lost, nothing twice, everything as decided.')
    return violations
  },
  async lmtp() {
    const { violations, ...figures } = await lmtpSoak({
      mails: Number(values.mails),
      kills: Number(values.kills ?? 10),
    })
    say(`${figures.offers} offers of mails, ${figures.broken} of them broken off by a kill`)
    if (violations.length === 0) say('Nothing lost, nothing twice, everything as decided.')
    return violations
  },
  async users() {
    const { violations, ...figures } = await userSoak({
      users: Number(values.users ?? 200),
      kills: Number(values.kills ?? 20),
      seed,
      say,
    })
    say(
      `${figures.acknowledged} requests acknowledged, ${figures.unacknowledged} broken off by a kill, ` +
        `${figures.users} users, ${figures.refused} second uses refused`,
    )
    if (violations.length === 0) say('Nothing lost, nothing used twice.')
    return violations
  },
  async clock() {
    const { violations, ...figures } = await clockSoak({ throws: Number(values.throws), seed, say })
    say(
      `the clock was thrown ${figures.throws} times and came back, ${figures.restarts} restarts, ` +
        `${figures.requests} requests`,
    )
    if (violations.length === 0) say('Everything was served, and nothing was early or late.')
    return violations
  },
  async disk() {
    const result = await diskSoak({ say })
    if (result === undefined) {
      say('Skipped: this user cannot mount a disk of 48 MB.')
      return []
    }
    if (result.violations.length === 0) say('Sign-ins, sends, deletions, revocations and restarts worked.')
    return result.violations
  },
  async boxes() {
    const { figures, violations } = await boxSoak({
      messages: Number(values.messages),
      groups: Number(values.groups),
      mails: Number(values.mails),
      users: Number(values.users ?? 500),
      kills: Number(values.kills ?? 30),
      cuts: Number(values.cuts),
      restarts: Number(values.restarts),
      seed,
      say,
    })
    for (const line of figures) say(line)
    if (violations.length === 0) say('Nothing lost, nothing out of order, nothing again without a fault.')
    return violations
  },
  async events() {
    const found = await eventSoak({ events: Number(values.events), seed, say })
    const listed = (counts: { readonly [name: string]: number }) =>
      Object.entries(counts)
        .map(([name, number]) => `${number} ${name}`)
        .join(', ')
    say(`${values.events} events: ${listed(found.families)}, of ${Object.keys(found.kinds).length} kinds`)
    say(`${found.calls} calls, up to ${found.most} at once: ${listed(found.functions)}`)
    say(
      `${found.failed} failed, as their events ask for, and ${found.abandoned} went on after the platform stopped waiting`,
    )
    if (found.violations.length === 0) say('Nothing of one event reached another.')
    return found.violations
  },
  async executions() {
    const { violations, ...figures } = await executionSoak({
      executions: Number(values.executions),
      killEvery: 5000,
      restarts: Number(values.restarts),
      seed,
      say,
    })
    say(
      `${figures.ended} executions ended as they should, ${figures.invocations} invocations, ` +
        `${figures.kills} kills of boxes, ${figures.restarts} restarts of the database server`,
    )
    if (violations.length === 0) say('Every execution ended once with the right result.')
    return violations
  },
  async functions() {
    const { violations, ...figures } = await functionSoak({ minutes: minutes(), seed, say })
    say(
      `${figures.languages.join(', ')}: ${figures.acknowledged} messages acknowledged, ${figures.handled} handled, ` +
        `${figures.again} times again, ${figures.dead} in the dead-letter queue`,
    )
    say(
      `${figures.platformKills} kills of the platform, ${figures.instanceKills} of instances, ${figures.reloads} reloads, ` +
        `the platform used up to ${figures.memory} MB`,
    )
    if (violations.length === 0) say('Nothing lost, and no process left.')
    return violations
  },
  async listeners() {
    const { listeners, attacks, lateness, violations } = await listenerSoak({ minutes: minutes(), seed, say })
    for (const [attack, count] of Object.entries(attacks)) say(`${String(count).padStart(7)} ${attack}`)
    for (const [listener, { count, p50, p99, slowest, failures }] of listeners)
      say(
        `${String(count).padStart(7)} answered by ${listener}, ${failures.length} failed; ` +
          `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, slowest ${slowest.toFixed(0)} ms`,
      )
    // Other programs on the machine slow down both the platform and the clients.
    say(
      `load average ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} processors, ` +
        `timers of honest clients up to ${lateness.toFixed(0)} ms late (p99)`,
    )
    if (violations.length === 0) say('Every honest client was served.')
    return violations
  },
}

const [name = 'queue', ...rest] = positionals
const chosen = soaks[name]
if (chosen === undefined || rest.length > 0)
  refuse(`There are the soaks ${Object.keys(soaks).join(' and ')}.`)
say(`seed ${seed}`)
const started = Date.now()
const violations = await chosen()
for (const violation of violations.slice(0, 50)) say(`VIOLATION ${violation}`)
if (violations.length > 0) say(`${violations.length} violations (seed ${seed})`)
say(`${((Date.now() - started) / 1000).toFixed(1)} s`)
process.exitCode = violations.length === 0 ? 0 : 1
