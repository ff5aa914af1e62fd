import { type ManualClock, manualClock } from '@signalbox/core/testing'
import { bounds } from '../api/connections/bounds.ts'
import { intakes } from '../api/data/intake.ts'
import type { MailSettings, MilterSettings } from '../config/mail-settings.ts'
import { type MilterBounds, milterBounds } from '../milter/milter-bounds.ts'
import { milterListener } from '../milter/milter-listener.ts'
import { filterWork, type TestDecide, type TestWork } from './filter-work.ts'
import { officeSettings } from './mail-listener.ts'

export interface TestMilterOptions extends TestWork {
  readonly settings?: Partial<Omit<MailSettings, 'milter'>>
  readonly milter?: Partial<MilterSettings>
  readonly bounds?: Partial<MilterBounds>
  /** The limit of memory for all mails, in bytes. */
  readonly memory?: number
  readonly clock?: ManualClock
}

const onFreePort: MilterSettings = {
  ...{ port: 0, host: '127.0.0.1', socket: undefined, open: false },
  ...{ junkSubaddress: undefined, outboundClients: [] },
}

/** Starts a milter whose functions decide on each recipient as `decide` says. */
export async function testMilter(
  decide: TestDecide = () => 'open',
  {
    settings = {},
    milter = {},
    bounds: own = {},
    memory = bounds.memory,
    clock = manualClock(1_700_000_000_000),
    ...more
  }: TestMilterOptions = {},
) {
  const { work, mails, passed } = filterWork(decide, more)
  const notices: string[] = []
  const whole = { ...officeSettings, ...settings }
  const listener = milterListener(
    {
      ...whole,
      milter: { ...onFreePort, ...(milter.socket !== undefined && { port: undefined }), ...milter },
    },
    {
      clock,
      newId: () => `mail-${mails.length + 1}`,
      notice: text => notices.push(text),
      newIntake: intakes(whole.maxSize, { ...bounds, memory }),
      work,
    },
    { ...milterBounds, ...own },
  )
  const url = await listener.start()
  return {
    ...{ url, mails, passed, notices, clock, stop: listener.stop },
    async [Symbol.asyncDispose]() {
      await listener.stop(0)
    },
  }
}
