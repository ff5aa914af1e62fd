"""Triggers of a user pool, written for Amazon Cognito."""


def handler(event, context):
    source = event['triggerSource']
    if source == 'PreSignUp_SignUp':
        email = event['request']['userAttributes'].get('email', '')
        if not email.lower().endswith('@example.com'):
            raise PermissionError('Staff addresses only')
        event['response'].update(autoConfirmUser=True, autoVerifyEmail=True)
    elif source.startswith('TokenGeneration_'):
        claims = {'claimsToAddOrOverride': {'tenant': 't1'}, 'claimsToSuppress': ['email']}
        event['response']['claimsOverrideDetails'] = claims
    return event
