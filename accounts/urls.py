from django.urls import path

from accounts import views

app_name = "accounts"

urlpatterns = [
    path("me/devices/", views.devices, name="devices"),
    path("me/security/", views.security, name="security"),
    path("", views.people, name="people"),
    path("<int:pk>/", views.person, name="person"),
    path("<int:pk>/second-factor/", views.remove_second_factor, name="second_factor"),
    path("<int:pk>/password-link/", views.make_password_link, name="password_link"),
]
