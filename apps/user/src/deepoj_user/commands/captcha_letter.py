"""What is written to people. Whoever asks for a code gets one mail in every case, or nobody would."""

from __future__ import annotations

from deepoj_domain.account.captcha import CaptchaPurpose, CaptchaTerms
from deepoj_domain.account.personal import EmailAddress
from deepoj_user.commands.ports import Mail

_NOT_YOU = "If this was not you, ignore this mail: without the code nothing happens."


def mail_for(
    purpose: CaptchaPurpose, address: EmailAddress, code: str, terms: CaptchaTerms, *, is_known: bool
) -> Mail:
    minutes = round(terms.validity.total_seconds() / 60)
    match purpose, is_known:
        case CaptchaPurpose.REGISTER, False:
            text = f"Your code to register at Deep-OJ is\n\n    {code}\n\n"
            text += f"It is good for {minutes} minutes, once."
            return Mail(address, "Your code to register", f"{text}\n\n{_NOT_YOU}\n")
        case CaptchaPurpose.REGISTER, True:
            text = (
                "Somebody wants to register at Deep-OJ with this address, but it has an account already.\n\n"
                "If this was you: log in, or change your password if you forgot it."
            )
            return Mail(address, "You have an account already", f"{text}\n")
        case CaptchaPurpose.CHANGE_PASSWORD, True:
            text = f"Your code to change your password at Deep-OJ is\n\n    {code}\n\n"
            text += f"It is good for {minutes} minutes, once. Nobody of Deep-OJ will ever ask you for it."
            return Mail(address, "Your code to change your password", f"{text}\n\n{_NOT_YOU}\n")
        case _:
            text = (
                "Somebody wants to change the password of this address at Deep-OJ, but it has no account.\n\n"
                "If this was you: you may have registered with another address."
            )
            return Mail(address, "There is no account with this address", f"{text}\n")
