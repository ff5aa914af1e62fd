/**
 * The events for which `claims()….for(event)` has built an answer. A route that returns nothing for such an
 * event has probably forgotten to return the answer.
 */
export const answeredEvents = new WeakSet<object>()
