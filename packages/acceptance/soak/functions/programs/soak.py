"""Does with each message what its text says, such as `exit 17`, when the message comes for the first time."""

import os
import subprocess
import time


def handler(event, context):
    failed = []
    for record in event['Records']:
        fault = record['body'].split()[0]
        is_first = record['attributes']['ApproximateReceiveCount'] == '1'
        if fault == 'never' or (fault == 'fail' and is_first):
            failed.append({'itemIdentifier': record['messageId']})
            continue
        if is_first and fault == 'throw':
            raise ValueError(record['body'])
        if is_first and fault == 'exit':
            os._exit(3)
        if is_first and fault == 'late':
            time.sleep(float(os.environ['LATE']))
        if is_first and fault == 'children':
            subprocess.Popen(['sleep', os.environ['CHILD']])
            subprocess.Popen(['sleep', os.environ['CHILD']], start_new_session=True)
        with open(os.environ['HANDLED'], 'a') as handled:
            handled.write(record['body'] + '\n')
    return {'batchItemFailures': failed}
