"""The sender of all requests: a new customer every few seconds, as some end a session."""

import os
import secrets

import requests
import schemathesis

API = os.environ["DAKIYA_URL"] + "/api/v1"
PASSWORD = "Six-blue-kites-9"


def post(path, content):
    answer = requests.post(API + path, json=content, timeout=30)
    answer.raise_for_status()
    return answer.json()


@schemathesis.auth(refresh_interval=5)
class Customer:
    def get(self, case, context):
        name = secrets.token_hex(6)
        post("/auth/register", {
            "username": name,
            "email": f"{name}@example.in",
            "phone": "9876543210",
            "first_name": "Asha",
            "last_name": "Rao",
            "password": PASSWORD,
            "password_confirm": PASSWORD,
        })
        return post("/auth/login", {"username": name, "password": PASSWORD})["tokens"]["access"]

    def set(self, case, token, context):
        case.headers["Authorization"] = f"Bearer {token}"
