import { expect, it } from '@jest/globals'
import { scenes } from './scenes.ts'

it.each(scenes)('the demo shows the expected response to $happens', async scene => {
  const payload = JSON.stringify(await scene.handler(structuredClone(scene.event)))
  expect(scene.conclude(payload, scene.event)).toBe(scene.expected)
})
