process.send!({ kind: 'result', payload: 7 })
process.disconnect()
