import { expect, it } from '@jest/globals'
import { fromAws } from '@signalbox/aws'
import { createPlatform } from '@signalbox/platform'
import { readEvent } from '../scene.ts'
import { handler } from './handler.ts'

it("the platform sends AWS field names to a function with dialect: 'aws'", async () => {
  const platform = createPlatform({
    functions: { 'sign-up': { handler, dialect: 'aws' } },
    dataDir: ':memory:',
  })
  try {
    const event = fromAws(readEvent(import.meta.url, 'event.json'))
    const { payload, verdict } = await platform.invoke('sign-up', event)
    expect(verdict).toMatchObject({ kind: 'accepted' })
    expect(JSON.parse(payload)).toMatchObject({ callerContext: { cloudSdkVersion: expect.any(String) } })
  } finally {
    await platform.stop()
  }
})
