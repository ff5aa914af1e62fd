import { randomBytes } from 'node:crypto'
import { type ManualClock, manualClock } from '@signalbox/core/testing'
import { bounds } from '../api/connections/bounds.ts'
import { intakes } from '../api/data/intake.ts'
import type { HooksSettings, MailSettings } from '../config/mail-settings.ts'
import { type HooksBounds, hooksBounds } from '../hooks/hooks-bounds.ts'
import { hooksListener } from '../hooks/hooks-listener.ts'
import { filterWork, type TestDecide, type TestWork } from './filter-work.ts'
import { officeSettings } from './mail-listener.ts'
import { hooksSecret } from './verdict-cases.ts'

export interface TestHooksOptions extends TestWork {
  readonly settings?: Partial<Omit<MailSettings, 'hooks'>>
  readonly hooks?: Partial<HooksSettings>
  readonly bounds?: Partial<HooksBounds>
  /** The limit of memory for all mails, in bytes. */
  readonly memory?: number
  readonly clock?: ManualClock
}

const onFreePort: HooksSettings = {
  ...{ port: 0, host: '127.0.0.1', secret: hooksSecret, tls: undefined },
  ...{ junkSubaddress: undefined, outboundClients: [] },
}

/** Starts a listener for hooks whose functions decide on each recipient as `decide` says. */
export async function testHooks(
  decide: TestDecide = () => 'open',
  {
    settings = {},
    hooks = {},
    bounds: own = {},
    memory = bounds.memory,
    clock = manualClock(1_700_000_000_000),
    ...more
  }: TestHooksOptions = {},
) {
  const { work, mails, passed } = filterWork(decide, more)
  const notices: string[] = []
  const whole = { ...officeSettings, ...settings }
  const listener = hooksListener(
    { ...whole, hooks: { ...onFreePort, ...hooks } },
    {
      ...{ clock, work, random: randomBytes },
      newId: () => `mail-${mails.length + 1}`,
      notice: text => notices.push(text),
      newIntake: intakes(whole.maxSize, { ...bounds, memory }),
    },
    { ...hooksBounds, ...own },
  )
  const url = await listener.start()
  return {
    ...{ url, mails, passed, notices, clock, stop: listener.stop },
    async [Symbol.asyncDispose]() {
      await listener.stop(0)
    },
  }
}
