import { describe, expect, it } from '@jest/globals'
import { beforeDeadline } from './before-deadline.ts'

describe('beforeDeadline', () => {
  it('is what the work comes to', async () => {
    const { signal } = new AbortController()
    const late = () => 'late'
    expect(await beforeDeadline(Promise.resolve('done'), signal, late)).toBe('done')
    await expect(beforeDeadline(Promise.reject(new Error('no')), signal, late)).rejects.toThrow('no')
  })

  it('is what late does once the signal is aborted', async () => {
    const controller = new AbortController()
    const outcome = beforeDeadline(new Promise<string>(() => {}), controller.signal, () => 'late')
    controller.abort()
    expect(await outcome).toBe('late')
    expect(await beforeDeadline(Promise.resolve('done'), controller.signal, () => 'late')).toBe('late')
  })

  it('fails with what late throws', async () => {
    const late = () => {
      throw new Error('no')
    }
    await expect(beforeDeadline(new Promise(() => {}), AbortSignal.abort(), late)).rejects.toThrow('no')
  })

  it('does not call late when the work was done first', async () => {
    const controller = new AbortController()
    let called = false
    await beforeDeadline(Promise.resolve(), controller.signal, () => {
      called = true
    })
    controller.abort()
    expect(called).toBe(false)
  })
})
