process.send!({ kind: 'answer', payload: 7 })
process.disconnect()
