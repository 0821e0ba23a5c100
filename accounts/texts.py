"""Messages of Django and django-allauth that our pages show, for our catalogue.

Nothing uses the values: makemessages collects the messages, and our translations take precedence
over the libraries' own. The wording must match theirs exactly.
"""

from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy

# Signing in, up and out
_("Menu:")
_("Sign In")
_("Sign Up")
_("Signup")
_("Sign Out")
_("Are you sure you want to sign out?")
_("If you have not created an account yet, then please %(link)ssign up%(end_link)s first.")
_("Already have an account? Then please %(link)ssign in%(end_link)s.")
_("Sign Up Closed")
_("We are sorry, but the sign up is currently closed.")
_("Account Inactive")
_("This account is inactive.")
_("Note")
_("You are already logged in as %(user_display)s.")
_("Confirm Access")
_("Please reauthenticate to safeguard your account.")
_("Enter your password:")
_("Use your password")
_("Alternative options")
_("Confirm")
_("Cancel")

# Fields
_("Email")
_("Email address")
_("Password")
_("Password (again)")
_("Remember Me")
_("Forgot your password?")
_("Current Password")
_("New Password")
_("New Password (again)")

# Form errors
_("This account is currently inactive.")
_("You cannot remove your primary email address.")
_("This email address is already associated with this account.")
_("The email address and/or password you specified are not correct.")
_("A user is already registered with this email address.")
_("Please type your current password.")
_("Incorrect password.")
_("Invalid or expired key.")
_("Invalid login.")
_("The password reset token was invalid.")
_("You cannot add more than %d email addresses.")
_("Too many failed login attempts. Try again later.")
_("The email address is not assigned to any user account.")
_("Your primary email address must be verified.")
_("Please select only one.")
_("The new value must be different from the current one.")
_("Be patient, you are sending too many requests.")
_("You must type the same password each time.")

# Passwords
_("Change Password")
_("Forgot Password?")
_("Set Password")
_("Password Reset")
_(
    "Forgotten your password? Enter your email address below, and we'll send you an "
    "email allowing you to reset it."
)
_("Reset My Password")
_("Please contact us if you have any trouble resetting your password.")
_(
    "We have sent you an email. If you have not received it please check your spam "
    "folder. Otherwise contact us if you do not receive it in a few minutes."
)
_("Bad Token")
_(
    "The password reset link was invalid, possibly because it has already been used.  "
    'Please request a <a href="%(passwd_reset_url)s">new password reset</a>.'
)
_("Your password is now changed.")

# Email addresses
_("Confirm Email Address")
_(
    'Please confirm that <a href="mailto:%(email)s">%(email)s</a> is an email address '
    "for user %(user_display)s."
)
_("Unable to confirm %(email)s because it is already confirmed by a different account.")
_(
    "This email confirmation link expired or is invalid. Please <a "
    'href="%(email_url)s">issue a new email confirmation request</a>.'
)
_("Warning:")
_(
    "You currently do not have any email address set up. You should really add an email "
    "address so you can receive notifications, reset your password, etc."
)
_("Verify Your Email Address")
_(
    "We have sent an email to you for verification. Follow the link provided to finalize "
    "the signup process. If you do not see the verification email in your main inbox, "
    "check your spam folder. Please contact us if you do not receive the verification "
    "email within a few minutes."
)
_(
    "This part of the site requires us to verify that\n"
    "you are who you claim to be. For this purpose, we require that you\n"
    "verify ownership of your email address. "
)
_(
    "We have sent an email to you for\n"
    "verification. Please click on the link inside that email. If you do not see the "
    "verification email in your main inbox, check your spam folder. Otherwise\n"
    "contact us if you do not receive it within a few minutes."
)
_('<strong>Note:</strong> you can still <a href="%(email_url)s">change your email address</a>.')

# Notices
_("You cannot remove your primary email address (%(email)s).")
_("Confirmation email sent to %(email)s.")
_("You have confirmed %(email)s.")
_("Removed email address %(email)s.")
_("Successfully signed in as %(name)s.")
_("You have signed out.")
_("Password successfully changed.")
_("Password successfully set.")
_("Primary email address set.")

# Two-factor authentication
_("Authenticator code")
_("Code")
_("Incorrect code.")
_("Master key")
_("Backup key")
_("Key nr. {number}")
_("Use authenticator app or code")
_("Use a security key")
_("Enter an authenticator code:")
_("You cannot add an email address to an account protected by two-factor authentication.")
_("You cannot deactivate two-factor authentication.")
_("You cannot generate recovery codes without having two-factor authentication enabled.")
_("You cannot activate two-factor authentication until you have verified your email address.")
_("A new set of recovery codes has been generated.")
_("Authenticator app activated.")
_("Authenticator app deactivated.")
_("Security key added.")
_("Security key removed.")

# Emails
_("Hello from %(site_name)s!")
_("Thank you for using %(site_name)s!\n%(site_domain)s")
_("Please Confirm Your Email Address")
_(
    "You're receiving this email because user %(user_display)s has given your email "
    "address to register an account on %(site_domain)s."
)
_("To confirm this is correct, go to %(activate_url)s")
_("Account Already Exists")
_(
    "You are receiving this email because you or someone else tried to signup for an\n"
    "account using email address:\n\n"
    "%(email)s\n\n"
    "However, an account using that email address already exists.  In case you have\n"
    "forgotten about this, please use the password forgotten procedure to recover\n"
    "your account:\n\n"
    "%(password_reset_url)s"
)
_("Password Reset Email")
_(
    "You're receiving this email because you or someone else has requested a password "
    "reset for your user account.\n"
    "It can be safely ignored if you did not request a password reset. Click the link "
    "below to reset your password."
)
_("Unknown Account")
_(
    "You are receiving this email because you, or someone else, tried to access an "
    "account with email %(email)s. However, we do not have any record of such an account "
    "in our database."
)
_("This mail can be safely ignored if you did not initiate this action.")
_("If it was you, you can sign up for an account using the link below.")

# Django's own, without a Vietnamese translation or with an unnatural one
_("This field is required.")
_("The submitted file is empty.")
_("Enter a whole number.")
_("Enter a number.")
_("Enter a valid date.")
_("Enter a valid email address.")
_("Enter a complete value.")
_("Enter a valid UUID.")
_("Enter a valid JSON.")
_("Enter a list of values.")
_("Null characters are not allowed.")
_("“%(pk)s” is not a valid value.")
_("“%(value)s” is not a valid UUID.")
_("Select a valid choice. That choice is not one of the available choices.")
_("Select a valid choice. %(value)s is not one of the available choices.")
_("Ensure this value is less than or equal to %(limit_value)s.")
_("Ensure this value is greater than or equal to %(limit_value)s.")
_("Ensure this value is a multiple of step size %(limit_value)s.")
ngettext_lazy(
    "Ensure this value has at most %(limit_value)d character (it has %(show_value)d).",
    "Ensure this value has at most %(limit_value)d characters (it has %(show_value)d).",
)
ngettext_lazy(
    "Ensure this value has at least %(limit_value)d character (it has %(show_value)d).",
    "Ensure this value has at least %(limit_value)d characters (it has %(show_value)d).",
)
ngettext_lazy(
    "Ensure that there are no more than %(max)s digit in total.",
    "Ensure that there are no more than %(max)s digits in total.",
)
ngettext_lazy(
    "Ensure that there are no more than %(max)s decimal place.",
    "Ensure that there are no more than %(max)s decimal places.",
)
ngettext_lazy(
    "This password is too short. It must contain at least %d character.",
    "This password is too short. It must contain at least %d characters.",
)
ngettext_lazy(
    "Your password must contain at least %(min_length)d character.",
    "Your password must contain at least %(min_length)d characters.",
)
_("This password is too common.")
_("Your password can’t be a commonly used password.")
_("The password is too similar to the %(verbose_name)s.")
_("Your password can’t be too similar to your other personal information.")
