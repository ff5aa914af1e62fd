// The platform of `npm run soak -- executions`. Each box has a number and a proxy to the database server.
import { join } from 'node:path'
import { defineConfig } from '@signalbox/platform'

const env = {
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  SOAK_FOLDER: process.env.SOAK_FOLDER!,
}
const module = './functions.ts'
const durable = { timeout: 3600, retention: 1 }

export const config = defineConfig({
  functions: {
    shape: { module, export: 'shape', timeout: 30, instances: 4, wait: 30, env, durable },
    called: { module, export: 'called', timeout: 30, instances: 2, wait: 30, env, durable },
    double: { module, export: 'double', timeout: 30, instances: 1, wait: 30, env },
  },
  invoke: { port: 0, open: true },
  dataDir: join(process.env.SOAK_FOLDER!, `box-${process.env.SOAK_BOX}`),
  grace: 10,
})
