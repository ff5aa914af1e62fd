// A platform whose function never ends, so that the platform can be killed while one event runs and others wait.
import { createPlatform } from './invoke-program.ts'

const platform = createPlatform({
  functions: {
    work: {
      instances: 1,
      handler() {
        process.send!('running')
        return new Promise(() => {})
      },
    },
  },
  invoke: { port: 0 },
  dataDir: process.argv[2]!,
})
const addresses = await platform.start()
process.send!(addresses.find(({ source }) => source === 'invoke')!.url)
