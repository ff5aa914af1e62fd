import type { Call } from '../invoker.ts'
import type { Frame } from './frame.ts'
import { frameResult } from './frame-result.ts'
import type { FunctionProgram } from './function-process.ts'
import { type ModuleSettings, startProcess } from './instance-process.ts'
import { taskText } from './task.ts'

/**
 * Returns a function that a module exports, which runs in processes of Node.
 * @param concurrency the number of events that a process runs at the same time
 */
export function moduleProgram(settings: ModuleSettings, concurrency: number): FunctionProgram {
  return {
    prepare: taskText,
    start(events) {
      /** The running events. */
      const calls = new Map<number, Call>()
      /** The numbers of events whose results have been read, but not yet all that arrived with them. */
      const read: number[] = []
      let state: 'starting' | 'ready' | 'loaded' = 'starting'
      let inspectorPort: number | undefined

      const process = startProcess(settings, {
        frame: hear,
        read(isWhole) {
          if (state === 'starting' || (state === 'loaded' && read.length === 0)) return
          // The bytes after the last result may show that the channel is broken.
          if (!isWhole && calls.size === 0) return events.broken('it sent more after its result')
          if (state === 'ready') {
            state = 'loaded'
            events.ready(inspectorPort)
            for (let place = 0; place < concurrency; place++) events.free()
          }
          for (const about of read.splice(0)) events.free(about)
        },
        broken: events.broken,
        closed: events.closed,
        missing: events.missing,
        ended: events.ended,
      })

      return {
        gone: process.gone,
        kill: process.kill,
        giveUp: about => void calls.delete(about),
        send(about, call, text) {
          if (calls.size === 0) process.forgetOutput()
          calls.set(about, call)
          process.send(about, text)
        },
      }

      // The function can write to the channel, too, so any frame can arrive at any time.
      function hear(frame: Frame): void {
        const { kind, task: about, text } = frame
        const isLoading = state === 'starting' && about === 0
        switch (kind) {
          case 'out':
          case 'err':
            events.output(about, kind, text)
            return
          case 'uncaught':
            events.uncaught(about, text)
            return
          case 'ready':
            if (!isLoading) break
            if (text !== '') inspectorPort = Number(text)
            state = 'ready'
            return
          case 'unloadable':
            if (!isLoading) break
            events.failed(text)
            return
          // A result for another event is ignored, so that it does not fail a running event.
          case 'result':
          case 'long-text':
          case 'failed': {
            const call = calls.get(about)
            if (call === undefined) return
            const result = frameResult(frame, call)
            if (result === undefined) break
            calls.delete(about)
            read.push(about)
            events.answered(about, result)
            return
          }
        }
        events.broken(`it sent an unexpected frame of the kind '${kind}'`)
      }
    },
  }
}
