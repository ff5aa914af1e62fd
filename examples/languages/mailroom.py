"""Decides about the mail of an office. It is written for Amazon WorkMail, in Python and with nothing but Python."""

LEFT = {
    'gina@office.example': 'Gina has left the office. Please write to ann@office.example.',
    **{f'piet{number}@office.example': f'Piet {number} has left the office.' for number in range(1, 13)},
}
BLOCKED = {'winner@lottery.example', 'spam.example'}


def handler(event, context):
    sender = event['envelope']['mailFrom']['address'].lower()
    print(f"{event['flowDirection']} mail {event['messageId']}, attempt {event['invocationId']}")
    if sender in BLOCKED or sender.rsplit('@')[-1] in BLOCKED:
        return {'actions': [{'action': {'type': 'DROP'}, 'allRecipients': True}]}
    addresses = [recipient['address'] for recipient in event['envelope']['recipients']]
    # An answer has at most ten actions, of which the last one is for everybody else.
    left = [address for address in addresses if address.lower() in LEFT][:9]
    everybody_else = {'action': {'type': 'DEFAULT'}, 'allRecipients': True}
    return {'actions': [*(bounce(address) for address in left), everybody_else]}


def bounce(address):
    reason = {'bounceMessage': LEFT[address.lower()]}
    return {'action': {'type': 'BOUNCE', 'parameters': reason}, 'recipients': [address]}
