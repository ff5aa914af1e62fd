/** A debugger, over the protocol that VS Code and Chrome use. */
export interface InspectorClient extends AsyncDisposable {
  readonly send: (method: string, params?: object) => Promise<Record<string, unknown>>
  /** Resolves with the parameters of the next event of this name, including events from before the call. */
  readonly event: (method: string) => Promise<Record<string, unknown>>
  /** Sets a breakpoint before a line, counted from 1, of the script whose URL ends so. */
  readonly breakAt: (file: string, line: number) => Promise<void>
  /** Resolves when the instance has closed the connection. */
  readonly closed: Promise<void>
}

/** Finds the target at the URL of an inspector, as debuggers do, and attaches to it. */
export async function attachInspector(url: string): Promise<InspectorClient> {
  const list = await fetch(`${url}/json/list`)
  const text = await list.text()
  if (!list.ok) throw new Error(text)
  const [{ webSocketDebuggerUrl }] = JSON.parse(text) as [{ readonly webSocketDebuggerUrl: string }]
  const socket = new WebSocket(webSocketDebuggerUrl)
  const answers = new Map<number, (message: Record<string, unknown>) => void>()
  const events: { readonly method: string; readonly params: Record<string, unknown> }[] = []
  let isEvent = () => {}
  let sent = 0
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data))
    if (message.id === undefined) {
      events.push(message)
      isEvent()
    } else answers.get(message.id)!(message.result ?? message.error)
  })
  const closed = new Promise<void>(resolve => socket.addEventListener('close', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve())
    socket.addEventListener('error', () =>
      reject(new Error(`no debugger can attach to ${webSocketDebuggerUrl}`)),
    )
  })
  const send: InspectorClient['send'] = (method, params = {}) =>
    new Promise(resolve => {
      answers.set(++sent, resolve)
      socket.send(JSON.stringify({ id: sent, method, params }))
    })
  const event: InspectorClient['event'] = async method => {
    for (;;) {
      const at = events.findIndex(each => each.method === method)
      if (at >= 0) return events.splice(at, 1)[0]!.params
      await new Promise<void>(resolve => {
        isEvent = resolve
      })
    }
  }
  await send('Runtime.enable')
  await send('Debugger.enable')
  return {
    send,
    event,
    async breakAt(file, line) {
      await send('Debugger.setBreakpointByUrl', {
        urlRegex: `${file.replaceAll('.', '\\.')}$`,
        lineNumber: line - 1,
      })
    },
    closed,
    async [Symbol.asyncDispose]() {
      socket.close()
      await closed
    },
  }
}
