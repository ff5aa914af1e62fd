import { describe, expect, it } from '@jest/globals'
import { beforeDeadline } from './before-deadline.ts'

describe('beforeDeadline', () => {
  it('settles with the outcome of the work when the work ends first', async () => {
    const { signal } = new AbortController()
    const late = () => 'late'
    expect(await beforeDeadline(Promise.resolve('done'), signal, late)).toBe('done')
    await expect(beforeDeadline(Promise.reject(new Error('no')), signal, late)).rejects.toThrow('no')
  })

  it('resolves to the result of late() when the signal aborts first', async () => {
    const controller = new AbortController()
    const result = beforeDeadline(new Promise<string>(() => {}), controller.signal, () => 'late')
    controller.abort()
    expect(await result).toBe('late')
    expect(await beforeDeadline(Promise.resolve('done'), controller.signal, () => 'late')).toBe('late')
  })

  it('rejects with the error that late() throws', async () => {
    const late = () => {
      throw new Error('no')
    }
    await expect(beforeDeadline(new Promise(() => {}), AbortSignal.abort(), late)).rejects.toThrow('no')
  })

  it('does not call late() when the work ends first', async () => {
    const controller = new AbortController()
    let called = false
    await beforeDeadline(Promise.resolve(), controller.signal, () => {
      called = true
    })
    controller.abort()
    expect(called).toBe(false)
  })
})
