// #region config
import { defineConfig } from '@signalbox/platform'
import { config as deployed } from './signalbox.config.ts'

/** With `open`, everyone who reaches the ports of the container may use them: its owner maps them, to this machine. */
const open = { host: process.env.SIGNALBOX_HOST ?? '127.0.0.1', open: true }

/** A test that starts this configuration as a process of its own takes free ports. */
const port = (own: number) => (process.env.SIGNALBOX_PORTS === 'free' ? 0 : own)

const { access: _, ...application } = deployed

/** The application for tests: in memory, without keys, and with the test interface. */
export const config = defineConfig({
  ...application,
  loadBalancers: { web: { ...open, port: port(3000), function: 'shop' } },
  queueListener: { ...open, port: port(9324) },
  invoke: { ...deployed.invoke, ...open, port: port(9332) },
  control: { ...open, port: port(9330), testing: true },
  dataDir: ':memory:',
  drain: 0,
})
// #endregion config
