"""The behaviour that all API views share: keys, versions, filters, errors and limits."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers as s
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from accounts.models import User
from tables.api import problems, sent_requests
from tables.api.sent_requests import Answered, NotDone

_ALWAYS = frozenset({"page", "page_size", "format"})
_KEY = re.compile(r"[\x21-\x7e]{1,200}")
_CLIENT_ID = re.compile(r"[\x21-\x7e]{1,40}")
_SIZE = re.compile(r"(?!0+$)[0-9]{1,20}|")
_MOST_TAGS = 50


class Manners(APIView):
    """A view of the API.

    `filters` are the allowed query parameters by name; `asked` holds those of the request. A POST
    with the header `Idempotency-Key` is carried out once. With `client_id_is_key`, a `client_id`
    that comes again with another body is refused. `If-Match` is compared within the transaction of
    the change, after `lock_to_change`.
    """

    filters: ClassVar[Mapping[str, s.Field[Any, Any, Any, Any]]] = {}
    client_id_is_key = True
    asked: dict[str, Any]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.asked = self._asked(request)
        method = (request.method or "").lower()
        if request.method not in SAFE_METHODS and (handler := getattr(self, method, None)):
            setattr(self, method, partial(self._change, handler))

    def lock_to_change(self) -> None:
        """Lock the rows that this view changes, before `If-Match` is compared."""

    def checked(self, serializer: type[BaseSerializer[Any]]) -> dict[str, Any]:
        """Return the validated body of the request; raise `ValidationError` for unknown fields."""
        read = serializer(data=self.request.data)
        if wrong := _unknown_fields(read, self.request.data):
            raise s.ValidationError(wrong)
        read.is_valid(raise_exception=True)
        data: dict[str, Any] = read.validated_data
        return data

    def get_throttles(self) -> list[BaseThrottle]:
        """Return the throttles, and remember them for the RateLimit headers."""
        self._throttles = super().get_throttles()
        return self._throttles

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(response, Response):
            if response.status_code >= 400:
                response.data = problems.described(
                    response.data, response.status_code, request.path
                )
            elif request.method in ("GET", "HEAD") and _may_be_kept(response):
                response = _tagged(request, response)
        done = super().finalize_response(request, response, *args, **kwargs)
        if isinstance(done, Response) and done.status_code >= 400:
            renderer = getattr(done, "accepted_renderer", None)
            if renderer is not None and renderer.format == "json":
                done.content_type = problems.MEDIA_TYPE
        for name, value in self._limits():
            done[name] = value
        return done

    def _asked(self, request: Request) -> dict[str, Any]:
        """Return the query's filters; raise `ValidationError` that names the unknown ones."""
        found: dict[str, Any] = {}
        wrong: dict[str, Any] = {}
        reads = request.method in SAFE_METHODS
        for name, value in request.query_params.items():
            if name == "page_size" and not _SIZE.fullmatch(str(value)):
                wrong[name] = [_("Enter a whole number from 1.")]
            field = self.filters.get(name) if reads else None
            if field is None:
                if name not in _ALWAYS:
                    wrong[name[:60]] = [_("There is no such filter here.")]
            elif value:
                try:
                    found[name] = field.run_validation(value)
                except s.ValidationError as error:
                    wrong[name] = error.detail
        if wrong:
            raise s.ValidationError(wrong)
        return found

    def _change(
        self, handler: Callable[..., Any], request: Request, *args: Any, **kwargs: Any
    ) -> Any:
        """Run a change under its idempotency key and its `If-Match` header, if it has them."""
        named = self._key(request)
        tags = request.headers.get("If-Match")
        if tags is None and named is None:
            return handler(request, *args, **kwargs)

        def do() -> Response:
            if tags is not None:
                self._check_match(tags, request, *args, **kwargs)
            done: Response = handler(request, *args, **kwargs)
            if done.status_code >= 400:
                raise NotDone(done)
            return done

        try:
            with transaction.atomic():
                return self._once(named, do, request) if named else do()
        except NotDone as refused:
            return refused.answer

    def _once(
        self, named: tuple[str, bool], do: Callable[[], Response], request: Request
    ) -> Response:
        key, keep = named
        done: list[Response] = []

        def answer() -> Answered:
            done.append(do())
            return Answered(done[0].status_code, _plain(done[0].data))

        assert isinstance(request.user, User)
        content = json.dumps([request.path, _plain(request.data)], sort_keys=True)
        digest = hashlib.sha256(content.encode()).hexdigest()
        found = sent_requests.once(user=request.user, key=key, digest=digest, do=answer, keep=keep)
        if not found.again:
            return done[0]
        headers = {"Idempotency-Replayed": "true", "Cache-Control": "no-store"}
        return Response(found.body, status=found.status, headers=headers)

    def _key(self, request: Request) -> tuple[str, bool] | None:
        """Return a POST's key and whether its answer is stored; None without a key."""
        if request.method != "POST" or not isinstance(request.user, User):
            return None
        key = request.headers.get("Idempotency-Key")
        if key is not None:
            key = key.strip().strip('"')
            if not _KEY.fullmatch(key):
                words = _("Send 1 to 200 letters, digits and signs without spaces.")
                raise s.ValidationError({"Idempotency-Key": [words]})
            return f"key:{key}", True
        body = request.data
        sent = body.get("client_id") if isinstance(body, dict) else None
        if self.client_id_is_key and isinstance(sent, str) and _CLIENT_ID.fullmatch(sent):
            return f"client_id:{sent.lower()}", False
        return None

    def _check_match(self, tags: str, request: Request, *args: Any, **kwargs: Any) -> None:
        """Raise `PreconditionFailed` if the resource is not the version the caller read.

        Http404: there is none to lock or to read.
        """
        try:
            self.lock_to_change()
        except ObjectDoesNotExist:
            raise Http404 from None
        seen = self.seen(request, *args, **kwargs)
        if seen is None or not _has(tags, _tag(seen.data)):
            raise problems.PreconditionFailed

    def seen(self, request: Request, *args: Any, **kwargs: Any) -> Response | None:
        """Return the answer that `If-Match` refers to: this view's own GET unless overridden."""
        get = getattr(self, "get", None)
        return None if get is None else get(request, *args, **kwargs)

    def _limits(self) -> list[tuple[str, str]]:
        """Return the IETF RateLimit headers: the policies and the requests that are left."""
        policies, left = [], []
        for throttle in getattr(self, "_throttles", ()):
            history = getattr(throttle, "history", None)
            if history is None:
                continue
            name = throttle.scope
            remaining = max(0, throttle.num_requests - len(history))
            seconds = throttle.duration
            if history:
                seconds = max(0, round(throttle.duration - (throttle.now - history[-1])))
            policies.append(f'"{name}";q={throttle.num_requests};w={throttle.duration}')
            left.append(f'"{name}";r={remaining};t={seconds}')
        if not policies:
            return []
        return [("RateLimit-Policy", ", ".join(policies)), ("RateLimit", ", ".join(left))]


def _unknown_fields(serializer: Any, data: Any) -> dict[str, Any]:
    """Return a message for each field that the serializer does not know, nested ones included."""
    if not isinstance(data, dict) or not isinstance(serializer, s.Serializer):
        return {}
    wrong: dict[str, Any] = {}
    for name, value in data.items():
        field = serializer.fields.get(name)
        if field is None:
            wrong[str(name)[:60]] = [_("There is no such field here.")]
        elif isinstance(field, s.ListSerializer | s.ListField) and isinstance(value, list):
            inner = [_unknown_fields(field.child, one) for one in value]
            if any(inner):
                wrong[name] = inner
        elif inside := _unknown_fields(field, value):
            wrong[name] = inside
    return wrong


def _plain(data: Any) -> Any:
    """Return the data as plain JSON values, as a client parses them."""
    return None if data is None else json.loads(JSONRenderer().render(data))


def _tag(data: Any) -> str:
    return f'"{hashlib.sha256(JSONRenderer().render(data)).hexdigest()[:32]}"'


def _has(tags: str, tag: str) -> bool:
    return tags.strip() == "*" or tag in [one.strip() for one in tags.split(",", _MOST_TAGS)]


def _may_be_kept(response: Response) -> bool:
    """Return whether an answer may be cached; a table's may not, as its clock runs."""
    return response.status_code == 200 and "no-store" not in response.headers.get(
        "Cache-Control", ""
    )


def _tagged(request: Request, response: Response) -> Response:
    """Return the answer with its entity tag; 304 without a body if the caller already has it."""
    tag = _tag(response.data)
    known = request.headers.get("If-None-Match")
    if known is not None and _has(known.replace("W/", ""), tag):
        response = Response(status=304, headers=dict(response.headers))
    response["ETag"] = tag
    return response
