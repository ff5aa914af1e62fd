import assert from 'node:assert/strict'
import { signalbox } from '@signalbox/core'
import { userPool } from '@signalbox/user-pool'
import type { Sides } from '../contract-case.ts'
import { copyOf } from '../copy-of.ts'
import { functionSetup } from '../function-setup.ts'

/** A function that answers an event. */
export type Route = (event: object) => unknown

let route: Route
const handler = signalbox(userPool({ otherwise: event => route(event) as never }))
const plain = functionSetup((event: object, answer) => {
  const response = (answer as Route)(event)
  return { ...event, response }
})

/** Returns the event that a function with the plugin returns, or the error that the function throws. */
export async function returnedBy(event: object, answers: Route): Promise<{ response?: unknown } | Error> {
  route = answers
  try {
    return (await handler(copyOf(event))) as object
  } catch (error) {
    return error as Error
  }
}

/** Sends an event to a function without the plugin. Returns the invocation with the platform's verdict. */
export const concluded = (event: object, answers: Route) => plain.invoke(event, answers)

/** Returns two checks: both the plugin and the platform accept the answer. */
export function accepted(event: object, answer: unknown): Sides {
  return {
    async function() {
      const returned = await returnedBy(event, () => answer)
      if (returned instanceof Error) throw returned
      assert.deepEqual(returned.response, answer)
    },
    async platform() {
      const { verdict } = await concluded(event, () => answer)
      assert.equal(verdict?.kind, 'accepted', verdict?.text)
    },
  }
}

/** Returns two checks: both the plugin and the platform refuse the answer and name the wrong field. */
export function invalid(event: object, answer: unknown, pointer: string): Sides {
  return {
    async function() {
      const returned = await returnedBy(event, () => answer)
      assert.ok(returned instanceof Error, 'it is not refused')
      assert.equal(returned.name, 'InvalidResponseError')
      assert.ok(returned.message.includes(pointer), returned.message)
    },
    async platform() {
      const { verdict } = await concluded(event, () => answer)
      assert.equal(verdict?.kind, 'invalid')
      assert.ok(verdict.text.includes(pointer), verdict.text)
    },
  }
}

/**
 * Returns two checks: the function throws an error that names the wrong field, and the platform does not send the
 * event.
 */
export function refused(event: object, pointer: string): Sides {
  return {
    async function() {
      const returned = await returnedBy(event, () => ({}))
      assert.ok(returned instanceof Error, 'it is not refused')
      assert.equal(returned.name, 'InvalidEventError')
      assert.ok(returned.message.includes(pointer), returned.message)
    },
    async platform() {
      assert.equal((await concluded(event, () => ({}))).verdict, undefined)
    },
  }
}
